import { spawn } from 'node:child_process'

interface Times {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/** What a load generator measured. */
export interface Answered extends Times {
  readonly statuses: Readonly<Record<string, number>>
  readonly byName: Readonly<Record<string, Times>>
}

export interface LoadRequest {
  readonly name: string
  readonly path: string
  readonly body: string
  /** @default POST */
  readonly method?: 'GET'
}

interface Load {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly ms: number
  readonly requests: readonly LoadRequest[]
  /** Only counts what is answered 429, and goes on. */
  readonly greedy?: boolean
  readonly pauseMs?: number
}

/** Sends requests from a process of its own, so that asking does not slow down answering. */
export async function httpLoad(options: Load): Promise<Answered> {
  const script = new URL('children/http-load.ts', import.meta.url)
  const child = spawn(process.execPath, [script.pathname, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return JSON.parse(output) as Answered
}
