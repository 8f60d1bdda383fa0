// Learns from a file until it is killed. Each look at a lesson, before and after it is stored, is a line.
import { teacherFor } from '../../../src/knowledge/learn/learning.ts'
import { openMemoryWith } from '../../../src/memory/open-memory-with.ts'
import { openLessonStore } from '../../knowledge/learn/lesson-store.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = ''] = process.argv.slice(2)
const { careless } = waitForGo() as { readonly careless: boolean }

const lessons = careless ? await openLessonStore(file) : undefined
const memory = await openMemoryWith(lessons?.store ?? file, {}, (knowledge) => {
  const teacher = lessons?.careless ?? teacherFor(knowledge)
  return {
    ...teacher,
    teach: async (lesson) => {
      tell({ kind: 'teaching', key: lesson.key })
      const taught = await teacher.teach(lesson)
      tell({ kind: 'taught', key: lesson.key, taught })
      return taught
    },
  }
})
await memory.settled()
tell({ kind: 'settled' })
await memory.close()
