{
  const { content } = document.querySelector('meta[name=base-path]');
  // As in src/base-path.ts.
  const theme = localStorage.getItem(content === '' ? 'theme' : `theme@${content}`);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
