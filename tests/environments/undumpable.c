/* Preloaded: makes this process one whose memory and files no other may look at, as where ptrace is forbidden.
 * (Those who may look at everything still can: CAP_SYS_PTRACE has to be gone too.) */
#include <sys/prctl.h>

__attribute__((constructor)) static void hide(void) {
  prctl(PR_SET_DUMPABLE, 0);
}
