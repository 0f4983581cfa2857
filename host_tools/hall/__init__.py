"""The live hall: boxes on the air, over MQTT, into the store (docs/hall.md)."""
