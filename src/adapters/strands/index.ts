export { DaybookMemoryStore, type DaybookMemoryStoreOptions } from './daybook-memory-store.ts'
export { DaybookSnapshotStorage, type DaybookSnapshotStorageOptions } from './daybook-snapshot-storage.ts'
