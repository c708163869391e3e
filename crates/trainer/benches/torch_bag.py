"""Positions a second that PyTorch learns from, on one thread, with a network of the shape of ours.

usage: torch_bag.py WIDTH MEN
"""

import sys
import time

import torch

WIDTH, MEN = int(sys.argv[1]), int(sys.argv[2])
BATCH, STEPS = 4096, 8

torch.manual_seed(1)
torch.set_num_threads(1)
layer = torch.nn.EmbeddingBag(768, WIDTH, mode="sum")
bias = torch.nn.Parameter(torch.zeros(WIDTH))
output = torch.nn.Linear(2 * WIDTH, 1)
optimiser = torch.optim.AdamW([*layer.parameters(), bias, *output.parameters()], lr=1e-3)
sides = torch.randint(0, 768, (2, BATCH, MEN))
target = torch.rand(BATCH, 1)


def learn():
    neurons = torch.cat([layer(side) + bias for side in sides], dim=1)
    value = output(neurons.clamp(0, 1) ** 2)
    error = ((torch.sigmoid(value) - target) ** 2).mean()
    optimiser.zero_grad()
    error.backward()
    optimiser.step()


learn()
began = time.thread_time()
for _ in range(STEPS):
    learn()
print(BATCH * STEPS / (time.thread_time() - began))
