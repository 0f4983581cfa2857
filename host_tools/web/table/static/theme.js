// Before the first picture: light or dark as somebody chose on this device, else as the device is set.
const kept = localStorage.getItem("schiri.theme");
if (kept === "light" || kept === "dark") document.documentElement.style.colorScheme = kept;
