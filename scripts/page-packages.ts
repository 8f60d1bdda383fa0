/** The packages that are built into the inspector. */
export const pagePackages: readonly string[] = ['preact', '@preact/signals', '@preact/signals-core']
