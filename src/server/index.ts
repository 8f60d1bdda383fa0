export { type App, type AppOptions, createApp } from './create-app.ts'
export { PORT_DEFAULT, type ServeOptions, type Server, serve } from './serve.ts'
export type { Limits } from './limits.ts'
export type { LogLine } from './log-line.ts'
