from passband._native import *
