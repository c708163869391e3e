"""Positions a second that PyTorch learns from, on one thread, with a network of the shape of ours.

usage: torch_bag.py WIDTH BATCH FILE

The file holds numbers of 16 bits: for each position its number of pieces, n, then n features of the
side to move and n of the other. Every round goes through all whole batches; the best counts.
"""

import array
import sys
import time

import torch

WIDTH, BATCH, ROUNDS = int(sys.argv[1]), int(sys.argv[2]), 3

torch.manual_seed(1)
torch.set_num_threads(1)
layer = torch.nn.EmbeddingBag(768, WIDTH, mode="sum")
bias = torch.nn.Parameter(torch.zeros(WIDTH))
output = torch.nn.Linear(2 * WIDTH, 1)
optimiser = torch.optim.AdamW([*layer.parameters(), bias, *output.parameters()], lr=1e-3)


def positions():
    numbers = array.array("H", open(sys.argv[3], "rb").read())
    at = 0
    while at < len(numbers):
        pieces = numbers[at]
        yield numbers[at + 1 : at + 1 + pieces], numbers[at + 1 + pieces : at + 1 + 2 * pieces]
        at += 1 + 2 * pieces


def bag(lists):
    offsets = [0]
    for features in lists[:-1]:
        offsets.append(offsets[-1] + len(features))
    return torch.tensor([feature for features in lists for feature in features]), torch.tensor(offsets)


def learn(sides, target):
    neurons = torch.cat([layer(*side) + bias for side in sides], dim=1)
    value = output(neurons.clamp(0, 1) ** 2)
    error = ((torch.sigmoid(value) - target) ** 2).mean()
    optimiser.zero_grad()
    error.backward()
    optimiser.step()


known = list(positions())
batches = [
    ([bag(side) for side in zip(*known[at : at + BATCH])], torch.rand(BATCH, 1))
    for at in range(0, len(known) - BATCH + 1, BATCH)
]
learn(*batches[0])
best = 0
for _ in range(ROUNDS):
    began = time.thread_time()
    for batch in batches:
        learn(*batch)
    best = max(best, BATCH * len(batches) / (time.thread_time() - began))
print(best)
