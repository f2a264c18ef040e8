import { readPreferences, showTheme } from './state/kept-preferences.ts'
import './style/tokens.css'
import './style/base.css'
import './style/layout.css'

// The frame of the page stands in index.html and is painted before the rest is loaded.
const preferences = readPreferences()
showTheme(preferences)
document.documentElement.classList.toggle('boot-bare', !preferences.sidebar)
requestAnimationFrame(() => setTimeout(() => void import('./main.tsx')))
