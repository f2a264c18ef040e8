import { readPreferences, showTheme } from './state/stored-preferences.ts'
import './style/tokens.css'
import './style/base.css'
import './style/layout.css'

// The frame of the page stands in index.html and is painted before the rest is loaded.
const preferences = readPreferences()
showTheme(preferences)
document.documentElement.classList.toggle('boot-bare', !preferences.sidebar)
requestAnimationFrame(() => setTimeout(() => void import('./main.tsx').catch(sayWhatIsWrong)))

function sayWhatIsWrong(): void {
  const place = document.querySelector('.shell-main')
  if (place) place.textContent = 'The page could not be loaded. Is Segno running? Then load this page again.'
}
