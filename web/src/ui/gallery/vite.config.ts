import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Shows the components: `npx vite --config src/ui/gallery/vite.config.ts` in `web`. Not part of any build. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  server: { port: 4120, strictPort: true },
})
