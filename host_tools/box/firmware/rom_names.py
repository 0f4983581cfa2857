"""Names that MicroPython 1.28 has itself, in the flash of the chip: they cost the box no memory.

Collected from the tables that its build makes for RPI_PICO, RPI_PICO_W and RPI_PICO2
(`genhdr/qstrdefs.generated.h`). One of ours with such a name may be meant for an object of
MicroPython, so it stays; and such a name is what others of ours may be called in a build.
"""
# ruff: noqa: SIM905  long lists read better so

# A .mpy file names these by a number (`static_qstr_list` in py/makeqstrdata.py)
NUMBERED = """
_ ArithmeticError AssertionError AttributeError BaseException EOFError Ellipsis Exception
GeneratorExit ImportError IndentationError IndexError KeyError KeyboardInterrupt LookupError
MemoryError NameError NoneType NotImplementedError OSError OverflowError RuntimeError
StopIteration SyntaxError SystemExit TypeError ValueError ZeroDivisionError abs all any append
args bool builtins bytearray bytecode bytes callable chr classmethod clear close const copy count
dict dir divmod end endswith eval exec extend find format from_bytes get getattr globals hasattr
hash id index insert int isalpha isdigit isinstance islower isspace issubclass isupper items iter
join key keys len list little locals lower lstrip main map micropython next object open ord pop
popitem pow print range read readinto readline remove replace repr reverse rfind rindex round
rsplit rstrip self send sep set setattr setdefault sort sorted split start startswith staticmethod
step stop str strip sum super throw to_bytes tuple type update upper value values write zip
""".split()
# On all boards
COMMON = """
b e r IN RX TX bl bx gc io on os pi rb re rx sd tx ws ADC ALT CTS DMA EIO GP0 GP1 GP2 GP3 GP4 GP5
GP6 GP7 GP8 GP9 GS8 I2C I2S INT LED LSB MSB OUT PIO PTR PWM Pin RAW RTC RTS SIO SPI USB WDT add
aes alt arg asr bin buf clz cmp cos cpu cts doc erf exp hex inf irq ldr log low lsl lsr max md5
mem min mov mrs nan nop oct off ps1 ps2 ptr put rp2 rts sck scl sda sin sub sys tan tau vfs wfi
AUTO GP10 GP11 GP12 GP13 GP14 GP15 GP16 GP17 GP18 GP19 GP20 GP21 GP22 GP26 GP27 GP28 GPCK GZIP
INT8 LONG MONO PIO0 PIO1 Task UART UINT VOID ZLIB _mpy _rp2 acos addr and_ argv asin atan bits
blit busy ceil code coro cosh crc8 ctrl data done dump erfc exit fabs feed file fill flow fmod
freq hard help high ibuf idle imag init json ldrb ldrh line load lock log2 math mem8 miso mkfs
mode modf mosi movt movw name pack path peek poll poly prog ptr8 pull push rate rbit real rect
scan sdiv seed seek sha1 sinh size span sqrt stat strb strh sync tanh tell text time udiv uint
usys vcmp vldr vmov vmrs vneg vstr ARRAY EBADF EPERM Flash GPIO0 GPIO1 GPIO2 GPIO3 GPIO4 GPIO5
GPIO6 GPIO7 GPIO8 GPIO9 INT16 INT32 INT64 MVLSB PinAF SHORT Timer UINT8 ULONG acosh align array
asinh atan2 atanh board bswap chdir cmath cpsid cpsie crc32 deque dumps errno expm1 flags float
floor flush frexp gamma group heapq hline input ioctl ipoll isinf isnan label ldexp ldrex loads
log10 match mem16 mem32 mkdir mount movwt mtime phase pixel polar ptr16 ptr32 reset rmdir rxbuf
shift sleep slice stall state stdin strex trunc txbuf uname union viper vline vsqrt BFINT8 BF_LEN
BF_POS EACCES EAGAIN EEXIST EINVAL EISDIR ENODEV ENOENT ENOMEM FileIO GPIO10 GPIO11 GPIO12 GPIO13
GPIO14 GPIO15 GPIO16 GPIO17 GPIO18 GPIO19 GPIO20 GPIO21 GPIO22 GPIO23 GPIO24 GPIO25 GPIO26 GPIO27
GPIO28 GPIO29 INV_RX INV_TX IN_LOW IOBase NATIVE POLLIN RGB565 RingIO STEREO Signal UINT16 UINT32
UINT64 USHORT VfsFat __eq__ __ge__ __gt__ __le__ __lt__ __ne__ __or__ _build active buffer cancel
center choice config decode deinit digest enable encode ep_max filter getcwd getter gmtime groups
invert lgamma locked mktime modify module native parity period ph_key random rename scroll search
select setter sha256 single sizeof stderr stdout struct toggle txdone umount unlink unpack unsafe
ALT_I2C ALT_PWM ALT_SIO ALT_SPI ALT_USB BFINT16 BFINT32 BFUINT8 BytesIO ENOBUFS FLOAT32 FLOAT64
IN_HIGH IRQ_SM0 IRQ_SM1 IRQ_SM2 IRQ_SM3 JOIN_RX JOIN_TX OUT_LOW POLLERR POLLHUP POLLOUT PULL_UP
SoftI2C SoftSPI VfsLfs2 __abs__ __add__ __all__ __and__ __del__ __dir__ __get__ __int__ __len__
__mod__ __mul__ __neg__ __new__ __pos__ __pow__ __ror__ __set__ __str__ __sub__ __xor__ _thread
abs_tol acquire ahb_err channel closure collect compile complex decrypt default deflate degrees
delattr deleter disable discard dupterm duty_ns ellipse encrypt fromhex handler hashlib heapify
heappop hexlify in_base indices isclose itf_max jmp_pin listdir machine maxsize memaddr modules
newline onewire popleft radians randint readbit rel_tol release restart rx_fifo statvfs str_max
sysname tick_hz time_ns timeout trigger tx_fifo uctypes uniform urandom version writeto xfer_cb
ALT_GPCK ALT_PIO0 ALT_PIO1 ALT_UART BFUINT16 BFUINT32 EALREADY ENOTCONN GS2_HMSB GS4_HMSB LONGLONG
LockType ONE_SHOT OUT_HIGH PERIODIC StringIO __bool__ __call__ __dict__ __exit__ __file__ __hash__
__iadd__ __init__ __isub__ __iter__ __main__ __name__ __next__ __path__ __radd__ __rand__ __repr__
__rmod__ __rmul__ __rpow__ __rsub__ __rxor__ _asyncio _machine _onewire addrsize baudrate binascii
bytes_at calcsize callback chain_to copysign cur_task datetime desc_cfg desc_dev duty_u16 encoding
execfile firstbit framebuf fromkeys function getvalue heappush high_pri ilistdir inc_read isfinite
issubset iterable iterator kbd_intr keepends libc_ver mem_free mem_info nodename out_base platform
polarity progsize property read_err read_u16 readbyte readfrom readonly readsize register reset_cb
reversed ring_sel schedule set_base sleep_ms sleep_us sniff_en ticks_ms ticks_us treq_sel writebit
writevto CORE_TEMP DeflateIO ETIMEDOUT I2CTarget IRQ_BREAK JOIN_NONE MONO_HLSB MONO_HMSB MONO_VLSB
PULL_DOWN TaskQueue ULONGLONG USBDevice WDT_RESET __aexit__ __aiter__ __anext__ __bases__
__class__ __enter__ __float__ addressof asm_thumb bitstream buffering byteorder cryptolib
deepsleep desc_strs dict_view enumerate errorcode factorial fill_rect frozenset generator
get_ident heap_lock inc_write irq_quiet isenabled localtime lookahead mem_alloc opt_level
pack_ctrl pack_into partition qstr_info randrange readlines registers ring_size sendbreak
stack_use threshold ticks_add ticks_cpu unhexlify unique_id write_err writebyte BIG_ENDIAN
EADDRINUSE ECONNRESET EOPNOTSUPP IRQ_RISING IRQ_RXIDLE IRQ_TXIDLE OPEN_DRAIN SHIFT_LEFT __aenter__
__delete__ __divmod__ __import__ __invert__ __lshift__ __matmul__ __module__ __rshift__ a2b_base64
appendleft b2a_base64 bootloader difference enable_irq isdisjoint issuperset lightsleep memoryview
namedtuple pend_throw readblocks rpartition separators soft_reset splitlines stack_size ticks_diff
unregister BUILTIN_CDC EINPROGRESS FrameBuffer IRQ_FALLING OrderedDict PWRON_RESET SHIFT_RIGHT
__complex__ __delattr__ __delitem__ __getattr__ __getitem__ __globals__ __rlshift__ __rmatmul__
__rrshift__ __setattr__ __setitem__ __truediv__ _task_queue add_program collections disable_irq
getrandbits heap_unlock in_shiftdir open_itf_cb pull_thresh push_thresh reset_cause submit_xfer
unpack_ctrl unpack_from writeblocks writeto_mem BUILTIN_NONE ECONNABORTED ECONNREFUSED
EHOSTUNREACH FrameBuffer1 IRQ_END_READ IRQ_READ_REQ StateMachine UnicodeError __contains__
__floordiv__ __qualname__ __reversed__ __rtruediv__ __set_name__ bound_method bytearray_at
dht_readinto intersection mem_addrsize out_shiftdir readfrom_mem sideset_base timeout_char
vcvt_f32_s32 vcvt_s32_f32 version_info IRQ_END_WRITE IRQ_WRITE_REQ LITTLE_ENDIAN TextIOWrapper
__rfloordiv__ __traceback__ allocate_lock readfrom_into remote_wakeup state_machine time_pulse_us
CancelledError NotImplemented ViperTypeError __repl_print__ asm_pio_encode bootsel_button
builtin_driver dupterm_notify implementation remove_program write_readinto BUILTIN_DEFAULT
__build_class__ control_xfer_cb print_exception python_compiler start_new_thread difference_update
readfrom_mem_into StopAsyncIteration IRQ_ADDR_MATCH_READ intersection_update IRQ_ADDR_MATCH_WRITE
symmetric_difference symmetric_difference_update alloc_emergency_exception_buf
""".split()
# Only on some: what the radio needs, and pins
ON_SOME = """
AF_INET AF_INET6 ALT_CORESIGHT_TRACE ALT_HSTX ALT_PIO2 ALT_UART_AUX ALT_XIP_CS1 AP_IF BLE
CERT_NONE CERT_OPTIONAL CERT_REQUIRED CORESIGHT_TRACE CYW43 EXT_GPIO0 EXT_GPIO1 EXT_GPIO2
FLAG_INDICATE FLAG_NOTIFY FLAG_READ FLAG_WRITE FLAG_WRITE_NO_RESPONSE GP25 HSTX IF_AP IF_STA
IPPROTO_IP IPPROTO_TCP IP_ADD_MEMBERSHIP IP_DROP_MEMBERSHIP MBEDTLS_VERSION MSG_DONTWAIT MSG_PEEK
PIO2 PM_NONE PM_PERFORMANCE PM_POWERSAVE PROTOCOL_DTLS_CLIENT PROTOCOL_DTLS_SERVER
PROTOCOL_TLS_CLIENT PROTOCOL_TLS_SERVER SEC_OPEN SEC_WPA2_WPA3 SEC_WPA3 SEC_WPA_WPA2 SOCK_DGRAM
SOCK_RAW SOCK_STREAM SOL_SOCKET SO_BROADCAST SO_REUSEADDR SSLContext SSLSocket STAT_CONNECTING
STAT_CONNECT_FAIL STAT_GOT_IP STAT_IDLE STAT_NO_AP_FOUND STAT_WRONG_PASSWORD STA_IF TCP_NODELAY
UART_AUX UUID WLAN WL_GPIO0 WL_GPIO1 WL_GPIO2 XIP_CS1 _webrepl accept addr4 addr6 addr_mode
adv_data antenna auth autoconf6 bind bluetooth bssid cipher client_id connect connectable country
dhcp dhcp4 disconnect dns do_handshake_on_connect essid gap_advertise gap_connect gap_disconnect
gap_name gap_scan gattc_discover_characteristics gattc_discover_descriptors
gattc_discover_services gattc_exchange_mtu gattc_read gattc_write gatts_indicate gatts_notify
gatts_read gatts_register_services gatts_set_buffer gatts_write get_ciphers getaddrinfo
getpeercert gw4 has_autoconf6 has_dhcp4 hostname ifconfig inc_read_rev inc_write_rev interval_us
ipconfig isconnected listen load_cert_chain load_verify_locations lwip mac makefile monitor mtu
network passive password pm prefer print_pcbs recv recv_into recvfrom resp_data route rssi
security send_ethernet sendall sendto server_hostname server_side set_ciphers setblocking
setsockopt settimeout socket ssid stations status tls trace txpower verify_callback verify_mode wb
websocket wrap_socket
""".split()
