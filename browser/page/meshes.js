// The shapes of the robot file: triangles unpacked, smooth where they bend little and sharp at edges.

import { BufferGeometry, Float32BufferAttribute } from "three";

const SHARP = Math.cos((38 * Math.PI) / 180);

/** Return the geometry of one packed mesh, in the frame of its body. */
export function geometry({ low, step, wide, vertices, faces }) {
  const places = new Uint16Array(bytes(vertices)), corners = new (wide ? Uint32Array : Uint16Array)(bytes(faces));
  const points = new Float32Array(3 * corners.length);
  for (let k = 0; k < corners.length; ++k) {
    for (let d = 0; d < 3; ++d) points[3 * k + d] = low[d] + step * places[3 * corners[k] + d];
  }
  const shape = new BufferGeometry();
  shape.setAttribute("position", new Float32BufferAttribute(points, 3));
  shape.setAttribute("normal", new Float32BufferAttribute(normals(points, corners, places.length / 3), 3));
  return shape;
}

function bytes(text) {
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) found[k] = raw.charCodeAt(k);
  return found.buffer;
}

/** Return a normal a corner: the mean of the triangles at its vertex that bend away by less than an edge does. */
function normals(points, corners, count) {
  const flat = new Float32Array(corners.length), unit = new Float32Array(corners.length); // three numbers a triangle
  for (let f = 0; f < corners.length; f += 3) {
    const a = 3 * f, ux = points[a + 3] - points[a], uy = points[a + 4] - points[a + 1], uz = points[a + 5] - points[a + 2];
    const vx = points[a + 6] - points[a], vy = points[a + 7] - points[a + 1], vz = points[a + 8] - points[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, size = Math.hypot(x, y, z) || 1;
    flat.set([x, y, z], f);
    unit.set([x / size, y / size, z / size], f);
  }
  const starts = new Uint32Array(count + 1), at = new Uint32Array(corners.length);
  for (const corner of corners) starts[corner + 1] += 1;
  for (let k = 0; k < count; ++k) starts[k + 1] += starts[k];
  const filled = starts.slice();
  for (let k = 0; k < corners.length; ++k) at[filled[corners[k]]++] = k - (k % 3);
  const found = new Float32Array(points.length);
  for (let k = 0; k < corners.length; ++k) {
    const own = k - (k % 3);
    let x = 0, y = 0, z = 0;
    for (let i = starts[corners[k]]; i < starts[corners[k] + 1]; ++i) {
      const f = at[i];
      if (unit[own] * unit[f] + unit[own + 1] * unit[f + 1] + unit[own + 2] * unit[f + 2] < SHARP) continue;
      x += flat[f]; y += flat[f + 1]; z += flat[f + 2];
    }
    const size = Math.hypot(x, y, z) || 1;
    found[3 * k] = x / size; found[3 * k + 1] = y / size; found[3 * k + 2] = z / size;
  }
  return found;
}
