# The four boards, as MicroPython's own files of the same name describe them, for a box. MICROPY_BOARD says which.
include("${MICROPY_PORT_DIR}/boards/${MICROPY_BOARD}/mpconfigboard.cmake")
set(MICROPY_BOARD_PINS "${MICROPY_PORT_DIR}/boards/${MICROPY_BOARD}/pins.csv")
list(APPEND MICROPY_DEF_BOARD
    SCHIRI_${MICROPY_BOARD}=1
    SCHIRI_SLOTS_BYTES=${SCHIRI_SLOTS_BYTES}
    SCHIRI_STORAGE_BYTES=${SCHIRI_STORAGE_BYTES}
)
# No path of the machine that builds it
add_compile_options("-ffile-prefix-map=${MICROPY_DIR}=." "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build")

# The box has no use for Bluetooth; it would take flash and memory of every board with a radio.
set(MICROPY_PY_BLUETOOTH OFF)
set(MICROPY_BLUETOOTH_BTSTACK OFF)
set(MICROPY_PY_BLUETOOTH_CYW43 OFF)
# The SDK adds this folder only together with Bluetooth; behind all others, because it has a second cyw43_configport.h
add_compile_options("-idirafter${MICROPY_DIR}/lib/pico-sdk/src/rp2_common/pico_cyw43_driver/include")

set(MICROPY_FROZEN_MANIFEST "${MICROPY_BOARD_DIR}/manifest.py")
