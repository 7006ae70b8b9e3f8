// fleet-map/zoom-buttons.tsx: the zoom for people who have neither a wheel nor two fingers.
import { IconButton } from '../components/button.tsx'
import styles from './fleet-map.module.css'
import type { CameraControl } from './use-camera.ts'

export function ZoomButtons({ control }: { readonly control: CameraControl }) {
  const isWhole = !control.canZoom(0.5)
  return (
    <div className={styles.zoom}>
      <IconButton label="Zoom in" disabled={!control.canZoom(2)} onClick={() => control.glideZoom(1.8)}>
        +
      </IconButton>
      <IconButton label="Zoom out" disabled={isWhole} onClick={() => control.glideZoom(1 / 1.8)}>
        −
      </IconButton>
      <IconButton label="Show the whole fleet" disabled={isWhole} onClick={() => control.showAll()}>
        ⤢
      </IconButton>
    </div>
  )
}
