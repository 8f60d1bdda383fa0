/** Its own types cannot be found through its export map. It is the same driver with ciphers, which are reached by pragmas. */
declare module 'better-sqlite3-multiple-ciphers' {
  import BetterSqlite from 'better-sqlite3'
  export default BetterSqlite
}
