import type { Counted } from './assembly/context.ts'
import type { Draft } from '../domain/message.ts'
import { CountCache } from './assembly/scale.ts'
import type { Fingerprint } from './assembly/cache.ts'
import { Outlines } from './compaction/outlines.ts'
import type { ShownBefore } from './in-part/show-large-units.ts'
import { KeptContexts } from './kept/kept-contexts.ts'
import { UnitCache } from './window/unit-cache.ts'
import { WindowCache } from './window/window-cache.ts'
import type { ContextWiring } from './wiring.ts'

/** What contexts remember between calls, for one memory. */
export class ContextMemory {
  counts: CountCache = new CountCache()
  windows: WindowCache = new WindowCache()
  readonly units: UnitCache = new UnitCache()
  outlines: Outlines = new Outlines()
  /** Large units as they were shown in part. */
  readonly shownInPart: ShownBefore = new Map()
  readonly previous: Map<string, Fingerprint> = new Map()
  /** What the last context of a session was counted as, to be compared with what its provider reports. */
  readonly counted: Map<string, Counted> = new Map()
  /** Instructions of callers, by their text: each is one object, so that it is counted once. */
  readonly systemDrafts: Map<string, Draft> = new Map()
  /** Windows that a policy could not reduce, so that it does not try again until something changed. */
  readonly irreducible: Map<string, true> = new Map()

  /** Records of contexts that wait to be written. */
  readonly kept: KeptContexts = new KeptContexts()

  /** Models whose names are in no table, said once each. */
  readonly unknownModels: Set<string> = new Set()

  /** The one of an open memory, from its first context on. */
  static of({ contexts }: Pick<ContextWiring, 'contexts'>): ContextMemory {
    contexts.memory ??= new ContextMemory()
    return contexts.memory
  }

  /** Lets go of everything that may hold content. It is read again when it is wanted. */
  forget(): void {
    this.counts = new CountCache()
    this.windows = new WindowCache()
    this.outlines = new Outlines()
    this.shownInPart.clear()
    this.previous.clear()
    this.systemDrafts.clear()
    this.kept.drop()
  }
}
