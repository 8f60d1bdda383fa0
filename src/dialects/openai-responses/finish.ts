import type { JSONObject } from '../../domain/json.ts'
import { field } from '../canonical/json.ts'
import { EMPTY_CONVERSATION } from '../canonical/marks.ts'
import type { Writing } from '../codec.ts'
import { endsTurn, isLedTo, isReasoningModel, itemType, unpaired, withoutReasoning } from './items.ts'
import type { ResponsesItem } from './types.ts'

/** The rules on the list of items. Each pass may only take away what the next ones look at. */
export function finishResponses(items: readonly ResponsesItem[], writing: Writing): ResponsesItem[] {
  const once = dropRepeated(placeTrigger(dropUnusable(items, writing), writing), writing)
  const { kept, turns } = dropLooseReasoning(dropUnpaired(once, writing), writing)
  const done = dropIds(kept, turns, writing)
  if (done.length > 0) return done
  writing.note('C1', 'synthesised', undefined, `Added a user message "${EMPTY_CONVERSATION}": nothing usable was left`)
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: EMPTY_CONVERSATION }] }]
}

/** R5, R6, R9: items that no request may hold. */
function dropUnusable(items: readonly ResponsesItem[], writing: Writing): readonly ResponsesItem[] {
  const unstored = writing.options.store === false
  return items.filter((item) => {
    const rule = unusable(item, unstored)
    if (rule !== undefined)
      writing.note(
        rule,
        'dropped',
        undefined,
        `Left out an item of type "${String(itemType(item))}" that cannot be sent`,
      )
    return rule === undefined
  })
}

/** The rule that forbids an item, if any. */
export function unusable(item: unknown, unstored: boolean): string | undefined {
  const type = itemType(item)
  const id = field(item, 'id')
  if (type === 'item_reference') {
    if (typeof id === 'string' && id.startsWith('fc_')) return 'R6'
    if (unstored) return 'R5'
    return typeof id === 'string' ? undefined : 'C0'
  }
  if (type === 'compaction') return typeof field(item, 'encrypted_content') === 'string' ? undefined : 'R9'
  return type === 'reasoning' && unstored && typeof field(item, 'encrypted_content') !== 'string' ? 'R5' : undefined
}

/** R9: one trigger, at the end. */
function placeTrigger(items: readonly ResponsesItem[], writing: Writing): readonly ResponsesItem[] {
  const first = items.findIndex((item) => itemType(item) === 'compaction_trigger')
  const trigger = items[first]
  if (trigger === undefined || first === items.length - 1) return items
  writing.note('R9', 'moved', undefined, 'Moved compaction_trigger to the end')
  return [...items.filter((item) => itemType(item) !== 'compaction_trigger'), trigger]
}

function dropUnpaired(items: readonly ResponsesItem[], writing: Writing): readonly ResponsesItem[] {
  const gone = new Set(unpaired(items))
  for (const _ of gone) writing.note('R10', 'dropped', undefined, 'Left out an item without its other half')
  return gone.size === 0 ? items : items.filter((_, index) => !gone.has(index))
}

/** R7: what can be said again is said without its id, the rest is left out. */
function dropRepeated(items: readonly ResponsesItem[], writing: Writing): readonly ResponsesItem[] {
  const seen = new Set<string>()
  return items.flatMap((item) => {
    const id = field(item, 'id')
    if (typeof id !== 'string') return [item]
    if (!seen.has(id)) {
      seen.add(id)
      return [item]
    }
    const type = itemType(item)
    const whole =
      type === 'message' || type === 'function_call' || type === 'custom_tool_call' || type?.endsWith('_output')
    writing.note('R7', whole ? 'rewrote' : 'dropped', undefined, `Sent the item "${id}" only once under its id`)
    return whole ? [withoutId(item)] : []
  })
}

function withoutId(item: ResponsesItem): ResponsesItem {
  const { id: _, ...rest } = item as unknown as JSONObject
  return rest as unknown as ResponsesItem
}

/** R3: from the end, so that reasoning before dropped reasoning goes too. Says in which turns something went. */
function dropLooseReasoning(
  items: readonly ResponsesItem[],
  writing: Writing,
): { readonly kept: readonly ResponsesItem[]; readonly turns: ReadonlySet<ResponsesItem> } {
  const kept: ResponsesItem[] = []
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item === undefined) continue
    if (itemType(item) === 'reasoning' && !isLedTo(kept.at(-1)))
      writing.note('R3', 'dropped', undefined, 'Left out a reasoning item that is not followed by what it led to')
    else kept.push(item)
  }
  kept.reverse()
  return { kept, turns: kept.length === items.length ? new Set() : turnsThatLost(items, new Set(kept)) }
}

/** Items of turns in which a reasoning item was left out. */
function turnsThatLost(items: readonly ResponsesItem[], kept: ReadonlySet<ResponsesItem>): ReadonlySet<ResponsesItem> {
  const found = new Set<ResponsesItem>()
  let lost = false
  for (const item of items) {
    if (endsTurn(item)) lost = false
    if (!kept.has(item)) lost = true
    else if (lost) found.add(item)
  }
  return found
}

/** R4: an item whose reasoning is gone is sent with its content and without its id. */
function dropIds(
  items: readonly ResponsesItem[],
  turns: ReadonlySet<ResponsesItem>,
  writing: Writing,
): ResponsesItem[] {
  const bound = new Set(isReasoningModel(writing.options.model) ? withoutReasoning(items) : [])
  return items.map((item, index) => {
    const id = field(item, 'id')
    const loose = bound.has(index) || (turns.has(item) && typeof id === 'string' && /^(msg|fc)_/.test(id))
    if (!loose) return item
    writing.note('R4', 'rewrote', undefined, `Sent the item "${String(id)}" without its id: its reasoning is not there`)
    return withoutId(item)
  })
}
