/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Texts are only there for errors that the fake runtime itself returns. */
#define ERROR(error) error, #error

static const struct
{
  cudaError_t error;
  const char *name;
  const char *text;
} errors[] = {
  { ERROR (cudaSuccess), "no error" },
  { ERROR (cudaErrorInvalidValue), "invalid argument" },
  { ERROR (cudaErrorMemoryAllocation), "out of memory" },
  { ERROR (cudaErrorInitializationError), "initialization error" },
  { ERROR (cudaErrorCudartUnloading), "driver shutting down" },
  { ERROR (cudaErrorProfilerDisabled), NULL },
  { ERROR (cudaErrorProfilerNotInitialized), NULL },
  { ERROR (cudaErrorProfilerAlreadyStarted), NULL },
  { ERROR (cudaErrorProfilerAlreadyStopped), NULL },
  { ERROR (cudaErrorInvalidConfiguration), "invalid configuration argument" },
  { ERROR (cudaErrorInvalidPitchValue), "invalid pitch argument" },
  { ERROR (cudaErrorInvalidSymbol), NULL },
  { ERROR (cudaErrorInvalidHostPointer), NULL },
  { ERROR (cudaErrorInvalidDevicePointer), NULL },
  { ERROR (cudaErrorInvalidTexture), NULL },
  { ERROR (cudaErrorInvalidTextureBinding), NULL },
  { ERROR (cudaErrorInvalidChannelDescriptor), NULL },
  { ERROR (cudaErrorInvalidMemcpyDirection), "invalid copy direction for memcpy" },
  { ERROR (cudaErrorAddressOfConstant), NULL },
  { ERROR (cudaErrorTextureFetchFailed), NULL },
  { ERROR (cudaErrorTextureNotBound), NULL },
  { ERROR (cudaErrorSynchronizationError), NULL },
  { ERROR (cudaErrorInvalidFilterSetting), NULL },
  { ERROR (cudaErrorInvalidNormSetting), NULL },
  { ERROR (cudaErrorMixedDeviceExecution), NULL },
  { ERROR (cudaErrorNotYetImplemented), NULL },
  { ERROR (cudaErrorMemoryValueTooLarge), NULL },
  { ERROR (cudaErrorStubLibrary), NULL },
  { ERROR (cudaErrorInsufficientDriver),
    "CUDA driver version is insufficient for CUDA runtime version" },
  { ERROR (cudaErrorCallRequiresNewerDriver), NULL },
  { ERROR (cudaErrorInvalidSurface), NULL },
  { ERROR (cudaErrorDuplicateVariableName), NULL },
  { ERROR (cudaErrorDuplicateTextureName), NULL },
  { ERROR (cudaErrorDuplicateSurfaceName), NULL },
  { ERROR (cudaErrorDevicesUnavailable), "CUDA-capable device(s) is/are busy or unavailable" },
  { ERROR (cudaErrorIncompatibleDriverContext), NULL },
  { ERROR (cudaErrorMissingConfiguration), "__global__ function call is not configured" },
  { ERROR (cudaErrorPriorLaunchFailure), NULL },
  { ERROR (cudaErrorLaunchMaxDepthExceeded), NULL },
  { ERROR (cudaErrorLaunchFileScopedTex), NULL },
  { ERROR (cudaErrorLaunchFileScopedSurf), NULL },
  { ERROR (cudaErrorSyncDepthExceeded), NULL },
  { ERROR (cudaErrorLaunchPendingCountExceeded), NULL },
  { ERROR (cudaErrorInvalidDeviceFunction), "invalid device function" },
  { ERROR (cudaErrorNoDevice), "no CUDA-capable device is detected" },
  { ERROR (cudaErrorInvalidDevice), "invalid device ordinal" },
  { ERROR (cudaErrorDeviceNotLicensed), NULL },
  { ERROR (cudaErrorSoftwareValidityNotEstablished), NULL },
  { ERROR (cudaErrorStartupFailure), NULL },
  { ERROR (cudaErrorInvalidKernelImage), NULL },
  { ERROR (cudaErrorDeviceUninitialized), "invalid device context" },
  { ERROR (cudaErrorMapBufferObjectFailed), "mapping of buffer object failed" },
  { ERROR (cudaErrorUnmapBufferObjectFailed), NULL },
  { ERROR (cudaErrorArrayIsMapped), NULL },
  { ERROR (cudaErrorAlreadyMapped), NULL },
  { ERROR (cudaErrorNoKernelImageForDevice), NULL },
  { ERROR (cudaErrorAlreadyAcquired), NULL },
  { ERROR (cudaErrorNotMapped), NULL },
  { ERROR (cudaErrorNotMappedAsArray), NULL },
  { ERROR (cudaErrorNotMappedAsPointer), NULL },
  { ERROR (cudaErrorECCUncorrectable), "uncorrectable ECC error encountered" },
  { ERROR (cudaErrorUnsupportedLimit), NULL },
  { ERROR (cudaErrorDeviceAlreadyInUse), NULL },
  { ERROR (cudaErrorPeerAccessUnsupported),
    "peer access is not supported between these two devices" },
  { ERROR (cudaErrorInvalidPtx), NULL },
  { ERROR (cudaErrorInvalidGraphicsContext), NULL },
  { ERROR (cudaErrorNvlinkUncorrectable), NULL },
  { ERROR (cudaErrorJitCompilerNotFound), NULL },
  { ERROR (cudaErrorUnsupportedPtxVersion), NULL },
  { ERROR (cudaErrorJitCompilationDisabled), NULL },
  { ERROR (cudaErrorUnsupportedExecAffinity), NULL },
  { ERROR (cudaErrorUnsupportedDevSideSync), NULL },
  { ERROR (cudaErrorContained), NULL },
  { ERROR (cudaErrorInvalidSource), NULL },
  { ERROR (cudaErrorFileNotFound), NULL },
  { ERROR (cudaErrorSharedObjectSymbolNotFound), NULL },
  { ERROR (cudaErrorSharedObjectInitFailed), NULL },
  { ERROR (cudaErrorOperatingSystem), NULL },
  { ERROR (cudaErrorInvalidResourceHandle), "invalid resource handle" },
  { ERROR (cudaErrorIllegalState), NULL },
  { ERROR (cudaErrorLossyQuery), NULL },
  { ERROR (cudaErrorSymbolNotFound), NULL },
  { ERROR (cudaErrorNotReady), "device not ready" },
  { ERROR (cudaErrorIllegalAddress), "an illegal memory access was encountered" },
  { ERROR (cudaErrorLaunchOutOfResources), NULL },
  { ERROR (cudaErrorLaunchTimeout), NULL },
  { ERROR (cudaErrorLaunchIncompatibleTexturing), NULL },
  { ERROR (cudaErrorPeerAccessAlreadyEnabled), "peer access is already enabled" },
  { ERROR (cudaErrorPeerAccessNotEnabled), "peer access has not been enabled" },
  { ERROR (cudaErrorSetOnActiveProcess), NULL },
  { ERROR (cudaErrorContextIsDestroyed), "context is destroyed" },
  { ERROR (cudaErrorAssert), NULL },
  { ERROR (cudaErrorTooManyPeers), NULL },
  { ERROR (cudaErrorHostMemoryAlreadyRegistered),
    "part or all of the requested memory range is already mapped" },
  { ERROR (cudaErrorHostMemoryNotRegistered),
    "pointer does not correspond to a registered memory region" },
  { ERROR (cudaErrorHardwareStackError), NULL },
  { ERROR (cudaErrorIllegalInstruction), NULL },
  { ERROR (cudaErrorMisalignedAddress), NULL },
  { ERROR (cudaErrorInvalidAddressSpace), NULL },
  { ERROR (cudaErrorInvalidPc), NULL },
  { ERROR (cudaErrorLaunchFailure), "unspecified launch failure" },
  { ERROR (cudaErrorCooperativeLaunchTooLarge), NULL },
  { ERROR (cudaErrorTensorMemoryLeak), NULL },
  { ERROR (cudaErrorNotPermitted), "operation not permitted" },
  { ERROR (cudaErrorNotSupported), "operation not supported" },
  { ERROR (cudaErrorSystemNotReady), NULL },
  { ERROR (cudaErrorSystemDriverMismatch), NULL },
  { ERROR (cudaErrorCompatNotSupportedOnDevice), NULL },
  { ERROR (cudaErrorMpsConnectionFailed), NULL },
  { ERROR (cudaErrorMpsRpcFailure), NULL },
  { ERROR (cudaErrorMpsServerNotReady), NULL },
  { ERROR (cudaErrorMpsMaxClientsReached), NULL },
  { ERROR (cudaErrorMpsMaxConnectionsReached), NULL },
  { ERROR (cudaErrorMpsClientTerminated), NULL },
  { ERROR (cudaErrorCdpNotSupported), NULL },
  { ERROR (cudaErrorCdpVersionMismatch), NULL },
  { ERROR (cudaErrorStreamCaptureUnsupported),
    "operation not permitted when stream is capturing" },
  { ERROR (cudaErrorStreamCaptureInvalidated),
    "operation failed due to a previous error during capture" },
  { ERROR (cudaErrorStreamCaptureMerge), NULL },
  { ERROR (cudaErrorStreamCaptureUnmatched), NULL },
  { ERROR (cudaErrorStreamCaptureUnjoined), NULL },
  { ERROR (cudaErrorStreamCaptureIsolation), NULL },
  { ERROR (cudaErrorStreamCaptureImplicit),
    "operation would make the legacy stream depend on a capturing blocking stream" },
  { ERROR (cudaErrorCapturedEvent), NULL },
  { ERROR (cudaErrorStreamCaptureWrongThread), NULL },
  { ERROR (cudaErrorTimeout), NULL },
  { ERROR (cudaErrorGraphExecUpdateFailure), NULL },
  { ERROR (cudaErrorExternalDevice), NULL },
  { ERROR (cudaErrorInvalidClusterSize), NULL },
  { ERROR (cudaErrorFunctionNotLoaded), NULL },
  { ERROR (cudaErrorInvalidResourceType), NULL },
  { ERROR (cudaErrorInvalidResourceConfiguration), NULL },
  { ERROR (cudaErrorUnknown), "unknown error" },
  { ERROR (cudaErrorApiFailureBase), NULL },
};

const char *
cudaGetErrorName (cudaError_t error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    if (errors[i].error == error)
      return errors[i].name;

  return "unrecognized error code";
}

const char *
cudaGetErrorString (cudaError_t error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    if (errors[i].error == error)
      return errors[i].text != NULL ? errors[i].text : errors[i].name;

  return "unrecognized error code";
}

/* The error of a lost device stays; any other error is cleared by cudaGetLastError(). */
static cudaError_t
get_last_error (gboolean is_forgotten)
{
  FakeThread *thread;
  cudaError_t error;

  fake_lock ();
  thread = fake_thread_get ();
  error = thread->last_error;
  if (is_forgotten)
    thread->last_error = cudaSuccess;
  if (error == cudaSuccess)
    error = fake_state.devices[thread->device].lost;
  fake_unlock ();

  return error;
}

cudaError_t
cudaGetLastError (void)
{
  return get_last_error (TRUE);
}

cudaError_t
cudaPeekAtLastError (void)
{
  return get_last_error (FALSE);
}
