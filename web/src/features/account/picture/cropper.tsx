import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useI18n } from '../../../lib/i18n.tsx'
import { type Crop, drawCrop, moveCrop, zoomCrop } from './crop.ts'

export type CropperProps = { picture: ImageBitmap; crop: Crop; onChange: (crop: Crop) => void }

/** Largest zoom factor. */
const MAX_ZOOM = 4
/** Step of an arrow key as a share of the square. */
const STEP = 1 / 20

/** Crops a picture by pointer, arrow keys and a zoom slider. */
export function Cropper({ picture, crop, onChange }: CropperProps) {
  const { t } = useI18n()
  const dragStart = useRef<{ x: number; y: number }>(undefined)
  const [zoom, setZoom] = useState(1)

  /** Moves by shares of the square; dragging right reveals the left side. */
  const move = (x: number, y: number) => onChange(moveCrop(crop, picture, { x: -x * crop.side, y: -y * crop.side }))

  function startDrag(event: PointerEvent<HTMLCanvasElement>) {
    // A second finger would make the picture jump between the two; other buttons open menus.
    if (!event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    dragStart.current = { x: event.clientX, y: event.clientY }
  }

  function drag({ clientX, clientY, currentTarget, isPrimary }: PointerEvent<HTMLCanvasElement>) {
    if (!dragStart.current || !isPrimary) return
    const { width, height } = currentTarget.getBoundingClientRect()
    move((clientX - dragStart.current.x) / width, (clientY - dragStart.current.y) / height)
    dragStart.current = { x: clientX, y: clientY }
  }

  function press(event: KeyboardEvent) {
    const [x, y] = ARROWS[event.key] ?? []
    if (x === undefined || y === undefined) return
    event.preventDefault()
    move(x * STEP, y * STEP)
  }

  return (
    <div className="flex flex-col items-center gap-5">
      <div className="flex items-end gap-5">
        <div className="relative size-44 overflow-hidden rounded-card bg-sunken min-[24rem]:size-56 sm:size-64">
          <CropCanvas
            picture={picture}
            crop={crop}
            edge={512}
            label={t('account.picture.crop')}
            className="size-full cursor-move touch-none -outline-offset-3"
            onPointerDown={startDrag}
            onPointerMove={drag}
            onLostPointerCapture={() => {
              dragStart.current = undefined
            }}
            onKeyDown={press}
          />
          <span className="pointer-events-none absolute inset-0 rounded-full [box-shadow:0_0_0_12rem_var(--color-backdrop)]" />
        </div>
        <div aria-hidden="true" className="flex flex-col items-center gap-3 *:rounded-full">
          <CropCanvas picture={picture} crop={crop} edge={144} className="size-18" />
          <CropCanvas picture={picture} crop={crop} edge={80} className="size-10" />
        </div>
      </div>
      <label className="flex w-full max-w-90 items-center gap-3 text-muted">
        {t('account.picture.zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          onChange={({ target }) => {
            setZoom(target.valueAsNumber)
            onChange(zoomCrop(crop, picture, target.valueAsNumber))
          }}
          className="h-11 min-w-0 grow accent-brand"
        />
      </label>
    </div>
  )
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type CropCanvasProps = Omit<React.ComponentProps<'canvas'>, 'ref'> & {
  picture: ImageBitmap
  crop: Crop
  edge: number
  /** Accessible name of the interactive canvas; previews have none. */
  label?: string
}

function CropCanvas({ picture, crop, edge, label, ...rest }: CropCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop, edge)
  }, [picture, crop, edge])
  const named = label ? { role: 'application', tabIndex: 0, 'aria-label': label } : {}
  return <canvas {...rest} {...named} ref={canvas} />
}
