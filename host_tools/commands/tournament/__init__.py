"""The commands of `schiri tournament`, a thin layer over the service and the desk's commands."""
