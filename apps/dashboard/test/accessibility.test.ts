import { checkViews } from './check-views.ts';

checkViews([
  {
    name: 'light theme, wide screen',
    colorScheme: 'light',
    viewport: { width: 1440, height: 900 },
  },
  {
    name: 'dark theme, medium screen',
    colorScheme: 'dark',
    viewport: { width: 768, height: 1024 },
  },
  { name: 'dark theme, narrow screen', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
]);
