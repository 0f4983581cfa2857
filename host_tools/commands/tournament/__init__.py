"""The commands of `schiri tournament`, thin doors to the service and the desk's commands."""
