"""Data-parallel training with mpi4py and numpy: gradients are summed with Allreduce.

Nothing in here knows of Detour:

    mpirun -n 4 -x LD_PRELOAD=libdetour_mpi.so /usr/bin/python3 train.py

A logistic regression learns on which side of a plane points lie.
"""

import numpy
from mpi4py import MPI

SAMPLE_COUNT = 400
FEATURE_COUNT = 8
STEP_COUNT = 200


def draw_samples(rank):
    """Every rank has samples of its own, with the same plane behind them."""
    generator = numpy.random.RandomState(100 + rank)
    points = generator.uniform(-1, 1, (SAMPLE_COUNT, FEATURE_COUNT))
    plane = numpy.linspace(-1, 1, FEATURE_COUNT)
    return points, (points @ plane > 0).astype(float)


def main():
    world = MPI.COMM_WORLD
    points, wanted = draw_samples(world.rank)
    all_count = numpy.array(len(points))
    world.Allreduce(MPI.IN_PLACE, all_count)
    weights = numpy.zeros(FEATURE_COUNT)
    gradient = numpy.empty_like(weights)

    for step in range(STEP_COUNT + 1):
        guess = 1 / (1 + numpy.exp(-points @ weights))
        world.Allreduce(points.T @ (guess - wanted), gradient, op=MPI.SUM)
        weights -= 5 * gradient / all_count
        if step % 100 == 0:
            right_count = numpy.array(numpy.sum((guess > 0.5) == (wanted > 0.5)))
            request = world.Iallreduce(MPI.IN_PLACE, right_count)
            loss = numpy.array(-numpy.sum(numpy.log(numpy.where(wanted > 0.5, guess, 1 - guess))))
            world.Allreduce(MPI.IN_PLACE, loss)
            request.Wait()
            if world.rank == 0:
                print(f"step {step:3}  loss {loss / all_count:.6f}  right {right_count} of {all_count}")

    # Slower, by whole objects: what is in them has to be the same, too.
    largest = world.allreduce(float(numpy.abs(weights).max()), op=MPI.MAX)
    if world.rank == 0:
        print(f"largest weight {largest:.6f}")


if __name__ == "__main__":
    main()
