"""The NFC reader chip PN532: frames, its UART, commands (NXP UM0701-02)."""
