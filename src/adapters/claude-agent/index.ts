export { DaybookSessionStore } from './daybook-session-store.ts'
