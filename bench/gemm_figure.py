# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compute-shift products against standard ones: a table, and a drawing with the roofline that explains it.

gemm_figure.py OUT.svg NAME=RESULTS.json[,PEAK_GFLOPS,BANDWIDTH_GBS]…

RESULTS.json is what `tritonrt_bench --benchmark_filter='^gemm/' --benchmark_out=RESULTS.json --benchmark_out_format=json`
wrote on the device NAME. PEAK and BANDWIDTH are the device's roof; without them it is drawn through the fastest product.
Prints the table as Markdown.
"""
import json
import math
import sys

TILE = 64  # the standard kernel makes C in tiles of TILE x TILE


def products(path):
    """{N: {"shift": seconds, "standard": seconds}}; the shortest of repetitions."""
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    found = {}
    for run in runs:
        group, _, size, who = run["name"].split("/")[:4]
        if group == "gemm" and who in ("shift", "standard") and run.get("run_type", "iteration") == "iteration":
            seconds = run["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[run["time_unit"]]
            times = found.setdefault(int(size), {})
            times[who] = min(seconds, times.get(who, math.inf))
    return {n: times for n, times in sorted(found.items()) if len(times) == 2}


def right_reads(n, who):
    """Bytes of the right matrix that the kernel reads from the device's memory: a ring once a mesh, tiles once a row of them."""
    return 4 * n * n * (1 if who == "shift" else n // TILE)


def intensity(n, who):
    """Floating-point operations a byte of the right matrix and of C."""
    return 2 * n ** 3 / (right_reads(n, who) + 4 * n * n)


def table(devices):
    print("| device | N | right matrix read, ring | standard | ring, GFLOP/s | standard | time, ring / standard |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, times, _, _ in devices:
        for n, one in times.items():
            rate = {who: 2 * n ** 3 / seconds / 1e9 for who, seconds in one.items()}
            print(f"| {name} | {n} | {right_reads(n, 'shift') / 2 ** 20:.2f} MiB | {right_reads(n, 'standard') / 2 ** 20:.1f} MiB "
                  f"| {rate['shift']:.1f} | {rate['standard']:.1f} | {one['shift'] / one['standard']:.2f} |")


class Plot:
    """Logarithmic axes in a part of the drawing."""

    def __init__(self, left, title, x_label, y_label, xs, ys, x_ticks, y_ticks):
        self.left, self.top, self.width, self.height = left, 40, 400, 300
        self.xs, self.ys = [math.log10(v) for v in xs], [math.log10(v) for v in ys]
        self.parts = [f'<rect x="{left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="none" stroke="#888"/>']
        self.text(left + self.width / 2, 20, title, "middle", 14)
        self.text(left + self.width / 2, self.top + self.height + 36, x_label, "middle")
        self.text(left, self.top - 6, y_label, "start")
        for tick in x_ticks:
            x, _ = self.at(tick, ys[0])
            self.line([(tick, ys[0]), (tick, ys[1])], "#eee", 1)
            self.text(x, self.top + self.height + 16, f"{tick:g}", "middle")
        for tick in y_ticks:
            _, y = self.at(xs[0], tick)
            self.line([(xs[0], tick), (xs[1], tick)], "#eee", 1)
            self.text(left - 6, y + 4, f"{tick:g}", "end")

    def at(self, x, y):
        across = (math.log10(x) - self.xs[0]) / (self.xs[1] - self.xs[0])
        up = (math.log10(y) - self.ys[0]) / (self.ys[1] - self.ys[0])
        return self.left + self.width * across, self.top + self.height * (1 - up)

    def text(self, x, y, text, anchor, size=11):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{text}</text>')

    def line(self, points, colour, width=2, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*p) for p in points))
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def dots(self, points, colour, hollow):
        for point in points:
            x, y = self.at(*point)
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{"white" if hollow else colour}" stroke="{colour}" stroke-width="2"/>')


def decades(low, high):
    return [10 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def draw(path, devices):
    colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b"]
    sizes = sorted({n for _, times, _, _ in devices for n in times})
    ratios = Plot(50, "Time of the ring / time of standard tiles", "N", "ratio", (sizes[0] / 1.2, sizes[-1] * 1.2), (0.5, 8), sizes, (0.5, 1, 2, 4, 8))
    rates = [2 * n ** 3 / s / 1e9 for _, times, _, _ in devices for n, one in times.items() for s in one.values()]
    roofs = [peak for _, _, peak, _ in devices]
    ys = decades(min(rates), max(rates + roofs))
    xs = decades(min(intensity(n, "standard") for n in sizes), max(intensity(n, "shift") for n in sizes))
    roof = Plot(530, "Roofline (filled: ring, hollow: standard)", "FLOP a byte of B and C in device memory", "GFLOP/s", (xs[0], xs[-1]), (ys[0], ys[-1]), xs, ys)
    ratios.line([(sizes[0] / 1.2, 1), (sizes[-1] * 1.2, 1)], "#888", 1, "4 3")
    for colour, (name, times, peak, bandwidth) in zip(colours, devices):
        ratios.line([(n, min(8, max(0.5, one["shift"] / one["standard"]))) for n, one in times.items()], colour)
        if bandwidth:
            ridge = min(max(peak / bandwidth, xs[0]), xs[-1])
            start = max(xs[0], ys[0] / bandwidth)
            roof.line([(start, start * bandwidth), (ridge, min(ridge * bandwidth, peak)), (xs[-1], peak)], colour, 1)
        else:
            roof.line([(xs[0], peak), (xs[-1], peak)], colour, 1)
        for who in ("shift", "standard"):
            roof.dots([(intensity(n, who), 2 * n ** 3 / one[who] / 1e9) for n, one in times.items()], colour, who == "standard")
    for i, (colour, (name, *_)) in enumerate(zip(colours, devices)):
        y = ratios.top + 16 + 16 * i
        ratios.parts.append(f'<rect x="{ratios.left + 240}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        ratios.text(ratios.left + 256, y, name, "start")
    body = "\n".join(ratios.parts + roof.parts)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="960" height="390" font-family="sans-serif">\n<rect width="960" height="390" fill="white"/>\n{body}\n</svg>\n')


def main(arguments):
    devices = []
    for argument in arguments[1:]:
        name, _, rest = argument.partition("=")
        path, *roof = rest.split(",")
        times = products(path)
        fastest = max(2 * n ** 3 / s / 1e9 for n, one in times.items() for s in one.values())
        peak, bandwidth = (float(roof[0]), float(roof[1])) if roof else (fastest, 0)
        devices.append((name, times, peak, bandwidth))
    table(devices)
    draw(arguments[0], devices)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:])
