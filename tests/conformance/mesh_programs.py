# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that talk, made at random: meshes, barriers, spellings and types of all kinds, with values by a simulation.

The simulation keeps what each buffer holds and, with vector clocks, what each program knows to have happened; where a
step would race, the kernel gets a barrier, or stays without one if a race is wanted.
"""
import random

import numpy as np

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
ENCODINGS = """#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
"""
LARGEST_MESH = 16
SHAPES = ([1], [16], [32], [64], [128], [8, 16], [16, 4], [4, 32], [2, 2, 8])


def times(shape):
    return "x".join(map(str, shape))


def array(values):
    return "array<i32: " + ", ".join(map(str, values)) + ">"


class World:
    """What the programs of all meshes hold and know."""

    def __init__(self, mesh, meshes, size, buffers, values):
        self.mesh, self.members = mesh, int(np.prod(mesh))
        self.programs = self.members * meshes
        self.carried = values.copy()  # a row a program
        self.held = np.zeros((self.programs, buffers, size), values.dtype)
        self.clocks = np.eye(self.programs, dtype=int)
        # Every program wrote its own buffers first. (program, its time, did it write)
        self.accesses = {(p, b): [(p, 1, True)] for p in range(self.programs) for b in range(buffers)}

    def at(self, program, shift):
        place = np.unravel_index(program % self.members, self.mesh)
        there = [(c + s) % m for c, s, m in zip(place, shift, self.mesh)]
        return program // self.members * self.members + int(np.ravel_multi_index(there, self.mesh))

    def groups(self, barrier):
        def key(p):
            kind = barrier["kind"]
            if kind == "grid":
                return 0
            if kind == "mesh":
                return p // self.members
            if kind == "axes":
                place = np.unravel_index(p % self.members, self.mesh)
                return (p // self.members, *(c for d, c in enumerate(place) if d not in barrier["axes"]))
            place = list(np.unravel_index(p, barrier["domain"]))
            for axis, part in zip(barrier["axes"], barrier["parts"]):
                place[axis] //= part
            return tuple(place)

        groups = {}
        for p in range(self.programs):
            groups.setdefault(key(p), []).append(p)
        return groups.values()

    def meet(self, barrier):
        for group in self.groups(barrier):
            self.clocks[group] = self.clocks[group].max(axis=0)
        self.clocks += np.eye(self.programs, dtype=int)

    def races(self, step):
        return any(q != p and (wrote or step["writes"]) and self.clocks[p, q] < time
                   for p in range(self.programs) for q, time, wrote in self.accesses[self.at(p, step["shift"]), step["buffer"]])

    def run(self, step):
        for p in range(self.programs):
            self.accesses[self.at(p, step["shift"]), step["buffer"]].append((p, self.clocks[p, p], step["writes"]))
        lanes = np.arange(self.held.shape[2])
        live = lanes % step["mask"] != 0 if step["mask"] else np.ones(len(lanes), bool)
        targets = [self.at(p, step["shift"]) for p in range(self.programs)]
        with np.errstate(over="ignore"):
            if step["writes"]:
                # Floats are handed on as they are, so that every result is exact.
                exact = self.carried.dtype.kind == "f"
                values = self.carried if exact else self.carried * self.carried.dtype.type(step["factor"]) + self.carried.dtype.type(step["term"])
                for p, target in enumerate(targets):
                    self.held[target, step["buffer"], live] = values[p, live]
                return
            got = np.where(live, self.held[targets, step["buffer"]], self.carried.dtype.type(0))
            if step["combine"] == "take":
                self.carried = got
            elif step["combine"] == "least":
                self.carried = np.minimum(self.carried, got)
            else:
                self.carried = np.maximum(self.carried, got) if self.carried.dtype.kind == "f" else self.carried + got


class Program:
    """One kernel with its launch. `builder` is tools/tle_kernels.Builder."""

    def __init__(self, builder, seed, races=False):
        self.random = random.Random(seed)
        self.races, self.wants_race, self.has_race = races, races, False
        choose = self.random.choice
        self.dialect, self.element = choose(("tle", "dsa")), choose(list(NUMPY))
        self.is_float = self.element[0] == "f"
        self.shape = choose(SHAPES)
        self.mesh = [LARGEST_MESH + 1]
        while not 2 <= np.prod(self.mesh) <= LARGEST_MESH:
            self.mesh = [choose((1, 2, 2, 3, 4, 5)) for _ in range(choose((1, 1, 2, 2, 3)))]
        self.meshes, self.buffers = choose((1, 1, 2, 3)), choose((1, 2, 3))
        members, size = int(np.prod(self.mesh)), int(np.prod(self.shape))
        low, high = (-8, 9) if self.is_float else (-100, 100)
        values = [self.random.randrange(low, high) for _ in range(members * self.meshes * size)]
        self.input = np.array(values, NUMPY[self.element]).reshape(-1, size)
        self.world = World(self.mesh, self.meshes, size, self.buffers, self.input)
        self.grid = self.pick_grid(members * self.meshes)
        self.steps = 0
        pointer = f"!tt.ptr<{self.element}>"
        self.b = builder("talk", [("x", pointer), ("o", pointer), ("steps", "i32")])
        self.write()
        encodings = ENCODINGS if self.dialect == "tle" else ""
        self.text = encodings + self.b.text()
        self.expected = np.concatenate([self.world.carried.ravel(), *(self.world.held[:, i].ravel() for i in range(self.buffers))])

    def pick_grid(self, programs):
        divisors = [d for d in range(1, programs + 1) if programs % d == 0]
        x = self.random.choice([programs, *divisors])
        y = self.random.choice([d for d in divisors if programs // x % d == 0])
        return [x, y, programs // x // y]

    # The frame of the kernel.
    def write(self):
        b, whole = self.b, times(self.shape)
        self.tensor, self.indices = f"tensor<{whole}x{self.element}>", f"tensor<{whole}xi32>"
        spaces = (", 3", ", 7") if self.dialect == "tle" else ("", "")
        self.local, self.far = (f"tensor<{whole}x!tt.ptr<{self.element}{space}>>" for space in spaces)
        own = b.program()
        if self.grid[1:] != [1, 1]:
            y, z = b.op("tt.get_program_id y : i32"), b.op("tt.get_program_id z : i32")
            own = b.scalar("addi", own, b.scalar("muli", b.scalar("addi", y, b.scalar("muli", z, self.grid[1])), self.grid[0]))
        self.place, rest = [], b.scalar("remsi", own, int(np.prod(self.mesh)))
        for extent in reversed(self.mesh):
            self.place.insert(0, b.scalar("remsi", rest, extent))
            rest = b.scalar("divsi", rest, extent)
        self.lanes = [self.along(d) for d in range(len(self.shape))]
        self.lane = self.lanes[0]
        for extent, lanes in zip(self.shape[1:], self.lanes[1:]):
            self.lane = b.tensor("addi", b.tensor("muli", self.lane, self.splat(extent, "i32"), whole), lanes, whole)
        self.first = b.scalar("muli", own, int(np.prod(self.shape)))
        at, kind = self.outside("%x", 0)
        carried = b.op(f"tt.load {at} : {kind}")
        self.pointers = [self.make_buffer() for _ in range(self.buffers)]
        carried = self.steps_in_a_row(carried, self.random.randrange(2, 7))
        if self.random.random() < 0.6:
            carried = self.steps_in_a_loop(carried)
        carried = self.steps_in_a_row(carried, self.random.randrange(0, 3))
        b.line(f"{self.dialect}.distributed_barrier")
        for i, value in enumerate([carried, *(b.op(f"tt.load {p} : {self.local}") for p in self.pointers)]):
            at, kind = self.outside("%o", i)
            b.line(f"tt.store {at}, {value} : {kind}")

    def splat(self, value, element=None):
        element = element or self.element
        value = f"{value}.0" if element[0] == "f" else value
        return self.b.op(f"arith.constant dense<{value}> : tensor<{times(self.shape)}x{element}>")

    def along(self, axis):
        extent = self.shape[axis]
        line = self.b.range(extent) if extent > 1 else self.b.op("arith.constant dense<0> : tensor<1xi32>")
        shape = [extent]
        for d in range(len(self.shape)):
            if d != axis:
                wider = shape[:d] + [1] + shape[d:]
                line = self.b.op(f"tt.expand_dims {line} {{axis = {d} : i32}} : tensor<{times(shape)}xi32> -> tensor<{times(wider)}xi32>")
                shape = wider
        return line if shape == self.shape else self.b.op(f"tt.broadcast {line} : tensor<{times(shape)}xi32> -> {self.indices}")

    def outside(self, argument, part):
        """Pointers to the program's elements of a part of a global array."""
        b, kind = self.b, f"tensor<{times(self.shape)}x!tt.ptr<{self.element}>>"
        first = b.scalar("addi", self.first, int(part * self.input.size))
        pointer = b.op(f"tt.addptr {argument}, {first} : !tt.ptr<{self.element}>, i32")
        return b.op(f"tt.addptr {b.op(f'tt.splat {pointer} : !tt.ptr<{self.element}> -> {kind}')}, {self.lane} : {kind}, {self.indices}"), kind

    def make_buffer(self):
        b, whole = self.b, times(self.shape)
        if self.dialect == "tle":
            kind = f"!ttg.memdesc<{whole}x{self.element}, #shared, #smem, mutable>"
            buffer = b.op(f"ttg.local_alloc : () -> {kind}")
        else:
            kind = f"memref<{whole}x{self.element}>"
            buffer = b.op(f"dsa.alloc [{', '.join(map(str, self.shape))}] : {kind}")
        if self.dialect == "tle" and self.random.random() < 0.5:
            pointers = b.op(f'"tle.local_pointers"({buffer}) : ({kind}) -> {self.local}')
        else:
            kinds = ", ".join([kind] + [self.indices] * len(self.shape))
            pointers = b.op(f'"{self.dialect}.local_pointers"({", ".join([buffer, *self.lanes])}) : ({kinds}) -> {self.local}')
        b.line(f"tt.store {pointers}, {self.splat(0)} : {self.local}")
        return pointers

    # Steps: one access of a buffer a program.
    def pick_step(self):
        choose = self.random.choice
        shift = [0] * len(self.mesh)
        for _ in range(choose((0, 1, 1, 1, 2))):
            shift[self.random.randrange(len(shift))] = choose((1, -1, 2))
        # A race is one where what is read is used, and both sides mean the same elements.
        masks, uses = ((None,), ("least", "join")) if self.races else ((None, None, 2, 3, 5), ("take", "least", "join"))
        return {"writes": choose((True, False)), "buffer": self.random.randrange(self.buffers), "shift": [s % m for s, m in zip(shift, self.mesh)],
                "mask": choose(masks), "factor": choose((1, 2, 3, -1)), "term": choose((1, 5, -3)), "combine": choose(uses)}

    def pick_barrier(self):
        choose, kind = self.random.choice, self.random.choice(("mesh", "mesh", "grid", "axes", "axes", "grid_axes"))
        if kind == "axes":
            return {"kind": kind, "axes": sorted(self.random.sample(range(len(self.mesh)), self.random.randrange(1, len(self.mesh) + 1)))}
        if kind == "grid_axes":
            domain = choose(([self.meshes, *self.mesh], [self.world.programs]))
            axes = sorted(self.random.sample(range(len(domain)), self.random.randrange(1, len(domain) + 1)))
            parts = [choose([d for d in range(1, domain[a] + 1) if domain[a] % d == 0]) for a in axes]
            return {"kind": kind, "axes": axes, "domain": domain, "parts": parts}
        return {"kind": kind}

    def write_barrier(self, barrier):
        def attributes(kind, axes, parts, more=""):
            return f'{{group_axes = {array(axes)}, {more}group_kind = "{kind}", group_rank = {len(axes)} : i32, group_shape = {array(parts)}}}'

        kind, op = barrier["kind"], f"{self.dialect}.distributed_barrier"
        if kind == "mesh":
            everybody = f"group_mask = {array(range(self.world.members))}, "
            forms = [op, f'{op} {{group_kind = "cluster"}}', f"{op} {attributes('submesh', range(len(self.mesh)), self.mesh, everybody)}"]
            if self.dialect == "tle":
                forms += ['"tle.distributed_barrier"() <{group_kind = "cluster"}> : () -> ()', '"mctle.distributed_barrier"() : () -> ()', "musa_tle.distributed_barrier"]
            self.b.line(self.random.choice(forms))
        elif kind == "grid":
            self.b.line(f'{op} {{group_kind = "grid"}}')
        elif kind == "axes":
            self.b.line(f"{op} {attributes('submesh', barrier['axes'], [self.mesh[a] for a in barrier['axes']])}")
        else:
            domain = f"group_domain_shape = {array(barrier['domain'])}, "
            name = self.random.choice(("grid_axis", "grid_axis_group"))
            self.b.line(f"{op} {attributes(name, barrier['axes'], barrier['parts'], domain)}")

    def remote(self, pointers, shift):
        b, rank = self.b, None
        if not any(shift) and self.random.random() < 0.5:
            return pointers, self.local
        for place, by, extent in zip(self.place, shift, self.mesh):
            place = b.scalar("remsi", b.scalar("addi", place, by), extent) if by else place
            rank = place if rank is None else b.scalar("addi", b.scalar("muli", rank, extent), place)
        if self.dialect == "dsa" and self.random.random() < 0.4:
            return b.op(f"tt.addptr {pointers}, {b.splat(rank, times(self.shape))} {{tle.remote_shard_id_carrier}} : {self.local}, {self.indices}"), self.far
        forms = [("dsa", "", self.far)] if self.dialect == "dsa" else [
            ("tle", "", self.far), ("tle", "", self.local), ("iluvatar_tle", "", self.far),
            ("tle", ' <{operandSegmentSizes = array<i32: 1, 1, 0>, space = "cluster"}>', self.far),
            ("musa_tle", ' <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, space = "cluster"}>', self.far)]
        dialect, properties, kind = self.random.choice(forms)
        return b.op(f'"{dialect}.remote_pointers"({pointers}, {rank}){properties} : ({self.local}, i32) -> {kind}'), kind

    def write_step(self, step, carried):
        b, whole = self.b, times(self.shape)
        pointers, kind = self.remote(self.pointers[step["buffer"]], step["shift"])
        mask = ""
        if step["mask"]:
            left = b.tensor("remsi", self.lane, self.splat(step["mask"], "i32"), whole)
            mask = ", " + b.op(f"arith.cmpi ne, {left}, {self.splat(0, 'i32')} : {self.indices}")
        if step["writes"]:
            value = carried
            if not self.is_float:
                value = b.op(f"arith.muli {value}, {self.splat(step['factor'])} : {self.tensor}")
                value = b.op(f"arith.addi {value}, {self.splat(step['term'])} : {self.tensor}")
            b.line(f"tt.store {pointers}, {value}{mask} : {kind}")
            return carried
        got = b.op(f"tt.load {pointers}{mask}{', ' + self.splat(0) if mask else ''} : {kind}")
        ops = {"least": "minimumf", "join": "maximumf"} if self.is_float else {"least": "minsi", "join": "addi"}
        return got if step["combine"] == "take" else b.op(f"arith.{ops[step['combine']]} {carried}, {got} : {self.tensor}")

    def meet(self, barrier):
        self.write_barrier(barrier)
        self.world.meet(barrier)

    def steps_in_a_row(self, carried, count):
        for _ in range(count):
            step = self.pick_step()
            if self.random.random() < 0.5:
                self.meet(self.pick_barrier())
            if self.world.races(step):
                if self.wants_race:
                    self.wants_race, self.has_race = False, True
                else:
                    self.meet({"kind": "mesh"})
            carried = self.write_step(step, carried)
            self.world.run(step)
        return carried

    def steps_in_a_loop(self, carried):
        self.steps = self.random.randrange(0, 4)
        steps, barrier = [self.pick_step() for _ in range(self.random.randrange(1, 4))], self.random.choice(({"kind": "mesh"}, {"kind": "grid"}))

        def body(_, carried):
            for step in steps:
                self.write_barrier(barrier)
                if self.random.random() < 0.3:
                    self.write_barrier(self.pick_barrier())
                carried = self.write_step(step, carried)
            return carried

        carried = self.b.summed("%steps", 1, carried, self.tensor, body)
        for step in steps * self.steps:
            self.world.meet(barrier)
            self.world.run(step)
        self.meet({"kind": "mesh"})
        return carried
