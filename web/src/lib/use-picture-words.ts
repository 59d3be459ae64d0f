import { useI18n } from './i18n.tsx'

/** Texts of `PictureField`; the page must load the phrases `pictures`. */
export function usePictureWords() {
  const { t } = useI18n()
  return {
    add: t('pictures.add'),
    change: t('pictures.change'),
    hint: t('pictures.hint'),
    sending: t('pictures.sending'),
    saved: t('pictures.saved'),
    not_saved: (why: string) => t('pictures.not_saved', { why }),
    remove: t('pictures.remove'),
    remove_ask: t('pictures.remove_ask'),
    remove_text: t('pictures.remove_text'),
    removed: t('pictures.removed'),
    cancel: t('ui.cancel'),
  }
}
