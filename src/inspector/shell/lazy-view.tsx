import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '../parts/notices.tsx'

/** A view that is loaded when it is first shown. */
export function lazyView(load: () => Promise<ComponentType>): ComponentType {
  const loaded: { view?: ComponentType } = {}
  return function LazyView(): JSX.Element {
    const [View, setView] = useState<ComponentType | undefined>(() => loaded.view)
    useEffect(() => {
      if (View !== undefined) return
      load()
        .then((found) => {
          loaded.view = found
          setView(() => found)
        })
        // A new build replaced the files: the page of the new build has them.
        .catch(() => location.reload())
    }, [])
    return View === undefined ? (
      <div class="body">
        <Skeleton />
      </div>
    ) : (
      <View />
    )
  }
}
