// Runs before the first paint, so that a dark page does not flash white. A file, because the page's policy allows no inline script.
{
  const chosen = localStorage.getItem('console:color-scheme')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
}
