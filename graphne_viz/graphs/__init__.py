"""What a graph is: conversion from other libraries, files and data sets."""
