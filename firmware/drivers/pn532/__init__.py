"""The NFC reader chip PN532: frames, transports, commands (NXP UM0701-02)."""
