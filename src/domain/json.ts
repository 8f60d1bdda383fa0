/** A value that survives JSON unchanged: the only kind of value that is stored. */
export type JSONValue = null | boolean | number | string | readonly JSONValue[] | JSONObject

export interface JSONObject {
  readonly [key: string]: JSONValue
}
