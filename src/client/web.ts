/** What `daybook/client` is in browsers, Workers and edge runtimes: fetch, Web Crypto and streams, nothing of Node. */
export { connectInBrowser as connectMemory } from './connect-in-browser.ts'
export type { ConnectOptions } from './connect-with.ts'
