import { createRoot } from 'react-dom/client'
import { DialogHost } from '../dialog/dialog-host.tsx'
import { ToastHost } from '../feedback/toast-host.tsx'
import { WordsProvider } from '../words.tsx'
import { Parts } from './parts.tsx'
import { AppScreen, ConsentScreen, HomeScreen, LoginScreen } from './screens.tsx'
import { words } from './words.ts'

const PAGES = { parts: Parts, login: LoginScreen, consent: ConsentScreen, home: HomeScreen, app: AppScreen }

const query = new URLSearchParams(location.search)
const name = query.get('page') ?? 'parts'
const Page = name in PAGES ? PAGES[name as keyof typeof PAGES] : Parts
const theme = query.get('theme')
if (theme) document.documentElement.dataset.theme = theme

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <WordsProvider words={words}>
      <Page />
      <DialogHost soon />
      <ToastHost />
    </WordsProvider>,
  )
}
