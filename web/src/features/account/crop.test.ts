import { describe, expect, test } from 'vitest'
import { movedCrop, wholeCrop, zoomedCrop } from './crop.ts'

const wide = { width: 400, height: 300 }

describe('the cut-out of a picture', () => {
  test('begins in the middle, as large as it goes', () => {
    expect(wholeCrop(wide)).toEqual({ x: 50, y: 0, side: 300 })
  })

  test('never leaves the picture', () => {
    expect(movedCrop(wholeCrop(wide), wide, { x: 500, y: 20 })).toEqual({ x: 100, y: 0, side: 300 })
    expect(movedCrop(wholeCrop(wide), wide, { x: -500, y: -20 })).toEqual({ x: 0, y: 0, side: 300 })
  })

  test('comes nearer around its middle, and back', () => {
    const near = zoomedCrop(wholeCrop(wide), wide, 3)
    expect(near).toEqual({ x: 150, y: 100, side: 100 })
    expect(zoomedCrop(near, wide, 1)).toEqual(wholeCrop(wide))
  })

  test('that touches the edge slides inwards when it grows', () => {
    const corner = movedCrop(zoomedCrop(wholeCrop(wide), wide, 3), wide, { x: 999, y: 999 })
    expect(corner).toEqual({ x: 300, y: 200, side: 100 })
    expect(zoomedCrop(corner, wide, 1)).toEqual({ x: 100, y: 0, side: 300 })
  })
})
