import { describe, expect, test } from 'vitest'
import { initialCrop, moveCrop, zoomCrop } from './crop.ts'

const wide = { width: 400, height: 300 }

describe('crop', () => {
  test('starts as the largest centered square', () => {
    expect(initialCrop(wide)).toEqual({ x: 50, y: 0, side: 300 })
  })

  test('stays inside the picture', () => {
    expect(moveCrop(initialCrop(wide), wide, { x: 500, y: 20 })).toEqual({ x: 100, y: 0, side: 300 })
    expect(moveCrop(initialCrop(wide), wide, { x: -500, y: -20 })).toEqual({ x: 0, y: 0, side: 300 })
  })

  test('zooms around its center', () => {
    const near = zoomCrop(initialCrop(wide), wide, 3)
    expect(near).toEqual({ x: 150, y: 100, side: 100 })
    expect(zoomCrop(near, wide, 1)).toEqual(initialCrop(wide))
  })

  test('moves inward when it grows at the edge', () => {
    const corner = moveCrop(zoomCrop(initialCrop(wide), wide, 3), wide, { x: 999, y: 999 })
    expect(corner).toEqual({ x: 300, y: 200, side: 100 })
    expect(zoomCrop(corner, wide, 1)).toEqual({ x: 100, y: 0, side: 300 })
  })
})
