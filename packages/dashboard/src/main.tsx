import './tokens.css'
import './base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { followSignInLinks } from './data/sign-in-link.ts'
import { askBeforeTraversal } from './shell/leaving.ts'

followSignInLinks()
askBeforeTraversal()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
