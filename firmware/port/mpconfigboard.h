// What MicroPython's own board file says, and where the flash of a box is cut (host_tools/box/firmware/image.py reads
// the sizes from firmware/boards and hands them in):
//
//     | interpreter, with the loader | two slots of firmware, run in place | file system |

#if defined(SCHIRI_RPI_PICO)
#include "boards/RPI_PICO/mpconfigboard.h"
#elif defined(SCHIRI_RPI_PICO_W)
#include "boards/RPI_PICO_W/mpconfigboard.h"
#elif defined(SCHIRI_RPI_PICO2)
#include "boards/RPI_PICO2/mpconfigboard.h"
#elif defined(SCHIRI_RPI_PICO2_W)
#include "boards/RPI_PICO2_W/mpconfigboard.h"
#else
#error "MICROPY_BOARD names no board of a box"
#endif

#undef MICROPY_HW_FLASH_STORAGE_BYTES
#define MICROPY_HW_FLASH_STORAGE_BYTES  (SCHIRI_STORAGE_BYTES)
#define MICROPY_HW_ROMFS_BYTES          (SCHIRI_SLOTS_BYTES)
