/* Begins on another stack. What the System V ABI says a callee must keep goes onto the stack that is left. */
#include "internal.h"

#ifndef __x86_64__
#error "backend_cpu: the switch between threads of a kernel is written for x86-64 only"
#endif

__asm__(".text\n"
        ".p2align 4\n"
        ".globl xb_cpu_start\n"
        ".hidden xb_cpu_start\n"
        ".type xb_cpu_start, @function\n"
        "xb_cpu_start:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  leaq 1f(%rip), %rax\n"
        "  pushq %rax\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  xorl %ebp, %ebp\n" /* the first frame, for a debugger */
        "  call *%rdx\n"
        "  ud2\n"
        "1:\n" /* xb_cpu_switch() or a signal came back to the stack that was left */
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size xb_cpu_start, .-xb_cpu_start\n");
