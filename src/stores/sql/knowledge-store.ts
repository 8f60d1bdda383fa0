import { rootOf, scopeChain } from '../../domain/scope-path.ts'
import { isList } from '../../domain/interleave.ts'
import type { Asking, KnowledgeQuestion, KnowledgeStore } from '../../ports/knowledge-store.ts'
import type { Database } from './database.ts'
import { type KnowledgeAnswering, answering } from './knowledge-answers.ts'
import { learnStatements as learn } from './learn-statements.ts'
import { lock } from './lock.ts'
import { type Program, inParallel, changeRows } from './program.ts'
import { writeKnowledge } from './write-knowledge.ts'

/** What is known: rows in, rows out. */
export function knowledgeStore(database: Database): KnowledgeStore {
  const answers = answering(database.dialect)
  return {
    read: (scope, asking) => database.snapshot('read what is known', scopeChain(scope), () => think(asking(), answers)),
    change: (scope, deciding) =>
      database.write('write what is known', [...scopeChain(scope), `${scope}/`], function* () {
        // A scope and its ancestors count versions together: of two thoughts about them, one waits for the other's rows.
        yield* lock(database, 'knowledge', rootOf(scope))
        const { answer, write, below = [], learned } = yield* think(deciding(), answers)
        for (const one of write === undefined ? below : [write, ...below]) yield* writeKnowledge(one)
        if (learned !== undefined)
          yield* changeRows(learn.moveCursor, learned.to.version, learned.to.seq, scope, learned.session)
        return answer
      }),
  }
}

/** Runs a thought to its end, each of its questions a program of its own. */
function* think<Result>(asking: Asking<Result>, answers: KnowledgeAnswering): Program<Result> {
  let step = asking.next()
  while (step.done !== true) {
    const { value } = step
    step = asking.next(
      isList(value) ? yield* inParallel(value.map((each) => answerTo(answers, each))) : yield* answerTo(answers, value),
    )
  }
  return step.value
}

function answerTo(answers: KnowledgeAnswering, question: KnowledgeQuestion): Program<unknown> {
  const answer = answers[question.of] as (question: KnowledgeQuestion) => Program<unknown>
  return answer(question)
}
