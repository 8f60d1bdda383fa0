/**
 * A graph that resumes where it stopped, and a store that all threads share. No key is needed.
 *
 *   npm install daybook @langchain/langgraph @langchain/core
 *   node agent.mjs thread-1 "My name is Ada."
 *   node agent.mjs thread-2 "Who am I?"
 */
import { Annotation, START, StateGraph } from '@langchain/langgraph'
import { openMemory } from 'daybook'
import { DaybookSaver, DaybookStore } from 'daybook/langgraph'

await using memory = await openMemory('agent.db')
const scope = memory.scope('acme/ada')

const State = Annotation.Root({ said: Annotation({ reducer: (all, more) => [...all, ...more], default: () => [] }) })

/** Keeps what was said in the store, where every thread finds it. */
async function remember({ said }, { store, configurable }) {
  await store.put(['said'], `${configurable.thread_id}-${said.length}`, { text: said.at(-1) })
}

const graph = new StateGraph(State)
  .addNode('remember', remember)
  .addEdge(START, 'remember')
  .compile({ checkpointer: new DaybookSaver(scope), store: new DaybookStore(scope) })

const [, , thread_id = 'thread-1', said = 'My name is Ada.'] = process.argv
const state = await graph.invoke({ said: [said] }, { configurable: { thread_id } })
console.log('This thread:', state.said)
console.log(
  'All threads:',
  (await new DaybookStore(scope).search(['said'])).map(({ value }) => value.text),
)
