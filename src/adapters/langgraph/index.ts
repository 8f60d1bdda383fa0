export { DaybookSaver } from './daybook-saver.ts'
export type { DaybookSaverOptions } from './daybook-saver.ts'
export { DaybookStore } from './daybook-store.ts'
export type { DaybookStoreOptions } from './daybook-store.ts'
