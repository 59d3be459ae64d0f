export { ConsentPreview } from './consent-preview.tsx'
