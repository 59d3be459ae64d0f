import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { type Crop, drawCrop, movedCrop, zoomedCrop } from './crop.ts'

export type CropperProps = { picture: ImageBitmap; crop: Crop; onChange: (crop: Crop) => void }

/** The farthest one can come near. */
const NEAREST = 4
/** How far an arrow key moves the picture, as a share of the square. */
const STEP = 1 / 20

/** The cut-out of a picture: dragged with finger or mouse, moved with the arrow keys, nearer with the slider. */
export function Cropper({ picture, crop, onChange }: CropperProps) {
  const { t } = useI18n()
  const held = useRef<{ x: number; y: number }>(undefined)
  const [zoom, setZoom] = useState(1)

  /** By shares of the square; dragging to the right shows what is to the left. */
  const move = (x: number, y: number) => onChange(movedCrop(crop, picture, { x: -x * crop.side, y: -y * crop.side }))

  function hold(event: PointerEvent<HTMLCanvasElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { x: event.clientX, y: event.clientY }
  }

  function drag({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) {
    if (!held.current) return
    const { width, height } = currentTarget.getBoundingClientRect()
    move((clientX - held.current.x) / width, (clientY - held.current.y) / height)
    held.current = { x: clientX, y: clientY }
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
        <div className="relative size-56 overflow-hidden rounded-card bg-sunken sm:size-64">
          <Drawn
            picture={picture}
            crop={crop}
            edge={512}
            label={t('account.picture.crop')}
            className="size-full cursor-move touch-none -outline-offset-3"
            onPointerDown={hold}
            onPointerMove={drag}
            onPointerUp={() => {
              held.current = undefined
            }}
            onKeyDown={press}
          />
          <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_12rem_var(--color-veil)]" />
        </div>
        <div aria-hidden="true" className="flex flex-col items-center gap-3 *:rounded-full">
          <Drawn picture={picture} crop={crop} edge={144} className="size-18" />
          <Drawn picture={picture} crop={crop} edge={80} className="size-10" />
        </div>
      </div>
      <label className="flex w-full max-w-90 items-center gap-3 text-muted">
        {t('account.picture.nearer')}
        <input
          type="range"
          min={1}
          max={NEAREST}
          step={0.05}
          value={zoom}
          onChange={({ target }) => {
            setZoom(target.valueAsNumber)
            onChange(zoomedCrop(crop, picture, target.valueAsNumber))
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

type DrawnProps = Omit<React.ComponentProps<'canvas'>, 'ref'> & {
  picture: ImageBitmap
  crop: Crop
  edge: number
  /** What can be moved has a name; the small ones only show. */
  label?: string
}

function Drawn({ picture, crop, edge, label, ...rest }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop, edge)
  }, [picture, crop, edge])
  const named = label ? { role: 'application', tabIndex: 0, 'aria-label': label } : {}
  return <canvas {...rest} {...named} ref={canvas} />
}
