import { render } from 'preact'
import { followLinks } from './data/place.ts'
import { signInAtStart } from './data/signed-in.ts'
import { InspectorApp } from './shell/app.tsx'
import { applyTheme } from './shell/theme.ts'

applyTheme()
followLinks()
void signInAtStart()
const page = document.querySelector('#page')
if (page !== null) render(<InspectorApp />, page)
