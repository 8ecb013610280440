// The robot in three dimensions: its shapes, links between joints, joint axes, frames, centres of mass, inertia ellipsoids.

import {
  AmbientLight, ArrowHelper, Box3, BoxGeometry, BufferGeometry, CylinderGeometry, DirectionalLight, DoubleSide, Float32BufferAttribute,
  GridHelper, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera,
  Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { colour, el } from "./dom.js";
import { geometry } from "./meshes.js";
import { data } from "./state.js";

const UP = new Vector3(0, 1, 0);
const LAYERS = {
  ...(data.meshes.length ? { shapes: "shapes" } : {}), links: "links", axes: "joint axes", frames: "frames", masses: "centres of mass", inertia: "inertia ellipsoids",
};
const TRAIL = 400;
export const FLOATS = data.skeleton.floats;
const from = new Vector3(), to = new Vector3();

export class View {
  constructor(host) {
    this.host = host;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(36, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.turn = -0.95;
    this.tilt = 0.32;
    this.layers = Object.fromEntries(Object.keys(LAYERS).map((name) => [name, []]));
    this.hidden = new Set(["frames", "inertia", ...(data.meshes.length ? ["links"] : [])]);
    this.bodies = [];
    this.reach = reach();
    this.target = new Vector3(0, 0, 0);
    this.aim(tautPoses());
    this.distance = Math.max(2.7 * this.reach, 3.8 * spread(this.target)); // an arm from base to tip, or what stands about its middle
    try {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch {
      host.append(el("p", { class: "note", text: "This browser has no WebGL, so the robot is not drawn; everything else works." }));
      return;
    }
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("tabindex", "0");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${data.name} in its pose; arrow keys turn the view, plus and minus zoom`);
    host.append(this.canvas);
    this.build();
    this.listen();
  }

  build() {
    this.materials = {
      link: new MeshStandardMaterial({ roughness: 0.55, metalness: 0.1 }),
      joint: new MeshStandardMaterial({ roughness: 0.4, metalness: 0.2 }),
      mass: new MeshStandardMaterial({ roughness: 0.5, depthTest: false, transparent: true }), // seen through the links
      inertia: new MeshStandardMaterial({ transparent: true, opacity: 0.28, roughness: 0.9, depthWrite: false }),
      trail: new LineBasicMaterial({}),
    };
    this.scene.add(new AmbientLight(0xffffff, 1.2));
    for (const [strength, ...place] of [[2.2, 2, -3, 5], [0.9, -4, 2, 1], [0.5, 1, 3, -2]]) {
      const light = new DirectionalLight(0xffffff, strength);
      light.position.set(...place);
      this.scene.add(light);
    }
    const size = this.reach;
    for (let i = 0; i < data.skeleton.bodies.length; ++i) this.body(i, size);
    for (const frame of data.skeleton.frames) {
      const triad = axes3(0.09 * size);
      triad.applyMatrix4(matrix(frame.pose, 0));
      this.bodies[frame.body].add(triad);
      this.layers.frames.push(triad);
    }
    this.bones = bones().map(([parent, child, point]) => {
      const mesh = new Mesh(new CylinderGeometry(0.026 * size, 0.034 * size, 1, 20), this.materials.link);
      this.scene.add(mesh);
      this.layers.links.push(mesh);
      return { mesh, parent, child, point };
    });
    const base = new Mesh(new CylinderGeometry(0.085 * size, 0.1 * size, 0.03 * size, 40), this.materials.joint);
    base.applyMatrix4(new Matrix4().makeRotationX(Math.PI / 2));
    const standing = new Group();
    standing.add(base);
    standing.applyMatrix4(matrix(data.skeleton.base, 0));
    this.scene.add(standing);
    this.layers.links.push(base);
    base.visible = !FLOATS;
    this.shapes = data.meshes.map((mesh) => {
      const shape = new Mesh(geometry(mesh), new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, side: DoubleSide }));
      (mesh.body < 0 ? standing : this.bodies[mesh.body]).add(shape);
      this.layers.shapes.push(shape);
      return { shape, colour: mesh.colour };
    });
    this.trailPoints = new Float32Array(3 * TRAIL);
    this.trail = new Line(new BufferGeometry(), this.materials.trail);
    this.trail.frustumCulled = false;
    this.trail.geometry.setAttribute("position", new Float32BufferAttribute(this.trailPoints, 3));
    this.trailCount = 0;
    this.scene.add(this.trail);
    this.place(tautPoses());
    this.scene.updateMatrixWorld(true);
    const solid = this.layers.shapes?.length ? this.layers.shapes : this.layers.links.filter((mesh) => mesh.visible);
    this.floor = Math.min(...solid.map((mesh) => new Box3().setFromObject(mesh).min.z));
    this.paint();
    for (const name of this.hidden) this.show(name, false);
  }

  body(i, size) {
    const about = data.skeleton.bodies[i], group = new Group();
    group.matrixAutoUpdate = false;
    for (const { turn, slide } of about.axes) {
      const turns = turn.some((x) => Math.abs(x) > 1e-9);
      const along = new Vector3(...(turns ? turn : slide)).normalize();
      const shape = turns ? new CylinderGeometry(0.048 * size, 0.048 * size, 0.12 * size, 32) : new BoxGeometry(0.085 * size, 0.12 * size, 0.085 * size);
      const housing = new Mesh(shape, this.materials.joint);
      housing.quaternion.setFromUnitVectors(UP, along);
      const arrow = new ArrowHelper(along, new Vector3(), 0.2 * size, 0x888888, 0.05 * size, 0.03 * size);
      group.add(housing, arrow);
      this.layers.links.push(housing);
      this.layers.axes.push(arrow);
    }
    if (about.com) {
      const ball = new Mesh(new SphereGeometry(0.022 * size * Math.cbrt(about.mass / heaviest()) + 0.008 * size, 24, 16), this.materials.mass);
      ball.position.set(...about.com);
      ball.renderOrder = 1;
      group.add(ball);
      this.layers.masses.push(ball);
    }
    if (about.ellipsoid) {
      const shape = new Mesh(new SphereGeometry(1, 32, 20), this.materials.inertia);
      const r = about.ellipsoid.rotation;
      const turned = new Matrix4().set(r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0, 0, 0, 0, 1);
      shape.applyMatrix4(new Matrix4().makeScale(...about.ellipsoid.axes.map((a) => Math.max(a, 0.002 * size))));
      shape.applyMatrix4(turned);
      shape.position.set(...about.com);
      group.add(shape);
      this.layers.inertia.push(shape);
    }
    this.scene.add(group);
    this.bodies.push(group);
  }

  /** Take the colours of the theme. */
  paint() {
    if (!this.renderer) return;
    const { link, joint, mass, inertia, trail } = this.materials;
    link.color.set(colour("link"));
    joint.color.set(colour("joint"));
    mass.color.set(colour("mass"));
    inertia.color.set(colour("accent"));
    trail.color.set(colour("trail"));
    for (const { shape, colour: own } of this.shapes) shape.material.color.set(own ?? colour("link"));
    for (const arrow of this.layers.axes) arrow.setColor(colour("axis"));
    this.scene.remove(this.grid);
    this.grid = new GridHelper(4 * this.reach, 20, colour("grid-strong"), colour("grid"));
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.z = this.floor;
    this.scene.add(this.grid);
  }

  show(layer, on) {
    if (on) this.hidden.delete(layer);
    else this.hidden.add(layer);
    for (const object of this.layers[layer]) object.visible = on;
  }

  /** Place every body by twelve numbers each: rows of rotation and place. */
  place(poses, trail) {
    if (!this.renderer) return;
    this.bodies.forEach((group, i) => {
      matrix(poses, 12 * i, group.matrix);
      group.matrixWorldNeedsUpdate = true;
    });
    for (const { mesh, parent, child, point } of this.bones) {
      if (parent < 0) origin(data.skeleton.base, 0, from);
      else origin(poses, 12 * parent, from);
      if (child < 0) to.set(...point).applyMatrix4(this.bodies[parent].matrix);
      else origin(poses, 12 * child, to);
      const along = to.sub(from), length = along.length();
      mesh.visible = length > 1e-4 && (!this.hidden.has("links") || this.floor === undefined);
      if (!mesh.visible) continue;
      mesh.position.copy(from).addScaledVector(along, 0.5);
      mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
      mesh.scale.set(1, length, 1);
    }
    if (trail) this.follow(poses);
  }

  follow(poses) {
    const tip = this.bones[this.bones.length - 1];
    const at = tip.child < 0 ? new Vector3(...tip.point).applyMatrix4(matrix(poses, 12 * tip.parent)) : origin(poses, 12 * tip.child);
    if (this.trailCount === TRAIL) {
      this.trailPoints.copyWithin(0, 3);
      this.trailCount -= 1;
    }
    this.trailPoints.set([at.x, at.y, at.z], 3 * this.trailCount++);
    this.trail.geometry.attributes.position.copyArray(this.trailPoints).needsUpdate = true;
    this.trail.geometry.setDrawRange(0, this.trailCount);
  }

  forget() {
    this.trailCount = 0;
    this.trail?.geometry.setDrawRange(0, 0);
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) return;
      this.orbit(-event.movementX / 160, event.movementY / 160);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return; // the page scrolls unless the view has the focus
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 800));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] }[event.key];
      const zoom = { "+": 0.9, "=": 0.9, "-": 1.1 }[event.key];
      if (turns) this.orbit(...turns);
      else if (zoom) this.zoom(zoom);
      else return;
      event.preventDefault();
    });
  }

  orbit(turn, tilt) {
    this.turn += turn;
    this.tilt = Math.max(-1.4, Math.min(1.5, this.tilt + tilt));
    this.moved?.();
  }

  zoom(factor) {
    this.distance = Math.max(0.5 * this.reach, Math.min(12 * this.reach, this.distance * factor));
    this.moved?.();
  }

  /** Look at the middle of the robot as it stands. */
  aim(poses) {
    const first = FLOATS ? origin(poses, 0) : new Vector3(0, 0, 0), low = first.clone(), high = first.clone();
    for (let i = 0; i < data.skeleton.bodies.length; ++i) {
      low.min(origin(poses, 12 * i));
      high.max(origin(poses, 12 * i));
    }
    this.target.copy(low).add(high).multiplyScalar(0.5);
  }

  draw() {
    if (!this.renderer) return;
    const width = this.host.clientWidth, height = this.host.clientHeight;
    if (width !== this.width || height !== this.height) {
      [this.width, this.height] = [width, height];
      this.renderer.setSize(width, height);
      this.camera.aspect = width / Math.max(height, 1);
      this.camera.updateProjectionMatrix();
    }
    const flat = Math.cos(this.tilt) * this.distance, near = this.camera.aspect < 1 ? 1 / this.camera.aspect : 1;
    this.camera.position.set(Math.cos(this.turn) * flat, Math.sin(this.turn) * flat, Math.sin(this.tilt) * this.distance).multiplyScalar(near).add(this.target);
    this.camera.lookAt(this.target);
    this.renderer.render(this.scene, this.camera);
  }
}

/** Return the switches of what is drawn. */
export function layerSwitches(view, changed) {
  return el("fieldset", { class: "layers" }, el("legend", { class: "hidden", text: "what is drawn" }), ...Object.entries(LAYERS).map(([name, words]) => {
    const box = el("input", { type: "checkbox", id: `layer-${name}` });
    box.checked = !view.hidden.has(name);
    box.addEventListener("change", () => { view.show(name, box.checked); changed(); });
    return el("label", { for: `layer-${name}` }, box, ` ${words}`);
  }));
}

/** Return what links join: [body, body], or [body, -1, place on it] where a chain ends or a loop closes. */
function bones() {
  const { bodies, ends } = data.skeleton;
  const held = bodies.map((body, i) => [body.parent, i, null]).filter(([, i]) => bodies[i].kind !== "free");
  return [...held, ...ends.map(({ body, place }) => [body, -1, place])];
}

function reach() {
  const poses = tautPoses();
  let far = 0.05;
  const base = origin(data.skeleton.base, 0);
  for (let i = 0; i < data.skeleton.bodies.length; ++i) far = Math.max(far, origin(poses, 12 * i).distanceTo(base));
  for (const frame of data.skeleton.frames) {
    far = Math.max(far, new Vector3(frame.pose[3], frame.pose[7], frame.pose[11]).applyMatrix4(matrix(poses, 12 * frame.body)).distanceTo(base));
  }
  return far;
}

/** Return how far bodies are from a place. */
function spread(place) {
  const poses = tautPoses();
  return Math.max(...data.skeleton.bodies.map((_, i) => origin(poses, 12 * i).distanceTo(place)));
}

function tautPoses() {
  return tautFunctions.body_poses(data.skeleton.neutral);
}

function heaviest() {
  return Math.max(...data.skeleton.bodies.map((body) => body.mass), 1e-9);
}

function matrix(numbers, at, into = new Matrix4()) {
  const m = numbers, k = at;
  return into.set(
    m[k], m[k + 1], m[k + 2], m[k + 3], m[k + 4], m[k + 5], m[k + 6], m[k + 7], m[k + 8], m[k + 9], m[k + 10], m[k + 11], 0, 0, 0, 1);
}

function origin(numbers, at, into = new Vector3()) {
  return into.set(numbers[at + 3], numbers[at + 7], numbers[at + 11]);
}

function axes3(size) {
  const ends = [size, 0, 0, 0, size, 0, 0, 0, size], colours = [0.85, 0.2, 0.2, 0.15, 0.6, 0.25, 0.2, 0.4, 0.95];
  const points = [], paint = [];
  for (let k = 0; k < 3; ++k) {
    points.push(0, 0, 0, ...ends.slice(3 * k, 3 * k + 3));
    paint.push(...colours.slice(3 * k, 3 * k + 3), ...colours.slice(3 * k, 3 * k + 3));
  }
  const shape = new BufferGeometry();
  shape.setAttribute("position", new Float32BufferAttribute(points, 3));
  shape.setAttribute("color", new Float32BufferAttribute(paint, 3));
  return new LineSegments(shape, new LineBasicMaterial({ vertexColors: true }));
}
