// SPDX-License-Identifier: Apache-2.0
/** Files (MPI-4.1 §14): rule by rule, and random views and accesses against a model that keeps the file as an array. */
package org.ffmpi.tests.files;
