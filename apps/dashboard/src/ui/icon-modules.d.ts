/** `icon:<name>`, which the plugin `icons` of vite.config.ts serves. */
declare module 'icon:*' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- Such a module cannot import a relative path.
  const icon: import('./create-icon.tsx').Icon;
  export default icon;
}
